import {
  type DecideAccess,
  decideAccess,
  type DoorAccess,
  doorAccess,
  type UserAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { events } from '@portcullis/contract/collections/events'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const nothing: Answer = ({ method, path }) =>
  method === 'GET' && /^\/api\/(users|doors|credentials)$/.test(path)
    ? { items: [], page: { size: 50, totalElements: 0, totalPages: 0, pageNumber: 0 }, next: null }
    : undefined

test('§4 explorer: a recent refusal shows its time in a cell of its own, with the time at the site', async () => {
  const at = '2026-01-05T09:00:00.000Z'
  const places = { site: null, door: null, unit: null, user: null, credential: null, direction: 'entry' } as const
  const event = itemOf(events, {
    ...places,
    name: 'Denied',
    type: 'access.denied',
    category: 'access',
    severity: 'info',
    outcome: 'denied',
    reason: 'no_access',
    reasons: [],
    occurredAt: at,
    receivedAt: at,
    backfilled: false,
    policyVersion: 1,
    data: { names: { user: 'Nomsa Dlamini', door: 'Gate', timeZone: 'Asia/Tokyo' } },
  })
  await openConsole('rules/explorer', { answers: [holding(events, [event]), nothing] })
  const refusals = await screen.findByRole('region', { name: 'Recently denied: would it open now?' })
  const [row] = await within(refusals).findAllByRole('button')
  expect(row?.children).toHaveLength(4)
  expect(row?.lastElementChild?.textContent).toMatch(/ at the site|GMT\+9/)
})

test('§4 explorer: the choice between a user and a number has a label of its own', async () => {
  await openConsole('rules/explorer', { answers: [holding(events, []), nothing] })
  expect(await screen.findByRole('radiogroup', { name: 'Look up by' })).toBeTruthy()
})

const [unit, site, gate, nomsa, card] = [1, 2, 3, 4, 5].map((n) => `0198c0de-0000-7000-8000-00000000e00${n}`)

test('§4 explorer: a card for which the controller has no room is denied, with what would help', async () => {
  const answer = withoutRoom({
    step: 'allow_rule',
    outcome: 'refused',
    reason: 'no_access',
    facts: {},
    things: [],
    change: { code: 'add_rule', of: null },
  })
  await openConsole(`rules/explorer?door=${gate}&user=${nomsa}`, {
    answers: [({ path }) => (path === '/api/explorer/decide' ? answer : undefined), holding(events, []), nothing],
  })
  const article = await screen.findByRole('article', { name: 'No room on the controller' })
  within(article).getByText('No room for this card on the controller')
  within(article).getByText(/Replace the controller with a larger one, or give fewer cardholders access/)
  within(article).getByText('Both changes are needed.')
  expect(within(article).getByText(/Short hours/)).toBeTruthy()
  expect(within(article).queryByText('Closed: no room on the controller')).toBeNull()
  const link = within(article).getByRole('link', { name: 'Open the controller' })
  expect(link.getAttribute('href')).toBe(`/main/units/${unit}`)
})

test('§4 explorer: where only the card has no room, no schedule opens the door in the next 7 days', async () => {
  const answer = withoutRoom()
  await openConsole(`rules/explorer?door=${gate}&user=${nomsa}`, {
    answers: [({ path }) => (path === '/api/explorer/decide' ? answer : undefined), holding(events, []), nothing],
  })
  const article = await screen.findByRole('article', { name: 'No room on the controller' })
  within(article).getByText('Closed: no room on the controller')
  expect(within(article).queryByText(/Short hours/)).toBeNull()
})

/** Opens the explorer for a door with this verdict, whose interlock has the door Hatch in this state. */
async function openInterlocked(
  state: 'unknown' | 'secure',
  { verdict = 'grant', at = '', isShared = true }: Interlocked = {},
) {
  const fault = state === 'unknown' ? 'offline' : null
  const other = { _id: nomsa, name: 'Hatch', site, unit, state, fault } as const
  const doors = [other, { ...other, _id: gate, name: 'Gate', fault: null }]
  const interlocks = doorInterlocks.output.parse({
    lock: 'locked',
    interlocks: [{ _id: site, name: 'Airlock', isShared, doors }],
  })
  const mode = { step: 'mode', outcome: 'passed', facts: { mode: 'unlocked' }, things: [], change: null } as const
  const conditions = { interlock: [{ _id: nomsa, name: 'Hatch' }] }
  const asked = { step: 'state', outcome: 'not_asked', facts: { conditions }, things: [], change: null } as const
  const answer = { ...withoutRoom(), verdict, reason: null, findings: [mode, asked] } as const
  await openConsole(`rules/explorer?door=${gate}&user=${nomsa}${at}`, {
    answers: [
      ({ path }) => (path === '/api/explorer/decide' ? answer : undefined),
      ({ path }) => (path === `/api/doors/${gate}/interlocks` ? interlocks : undefined),
      holding(events, []),
      nothing,
    ],
  })
  return within(await screen.findByRole('article'))
}
type Interlocked = { verdict?: DecideAccess['verdict']; at?: string; isShared?: boolean }

test.each([
  ['unknown', /^Would stay locked by the interlock with .?Hatch.? now$/, 'HatchNot reportedIts controller is offline'],
  ['secure', /^Would open$/, 'HatchClosed and locked'],
] as const)(
  '§4 explorer: a door whose interlock has a door of another controller that is %s shows it',
  async (state, words, hatch) => {
    const article = await openInterlocked(state)
    await article.findByRole('list', { name: 'Other doors of the interlock now' })
    await article.findByText(words)
    expect(article.queryByText(/asks the server/) !== null).toBe(state === 'secure')
    expect(article.getByRole('list', { name: 'Other doors of the interlock now' }).textContent).toBe(hatch)
    article.getByText(/open to all while the other doors of the interlock are closed and locked/)
    expect(article.queryByText(/Connect the controller/) !== null).toBe(state === 'unknown')
  },
)

test('§4 explorer: an interlock that keeps the door locked comes before an approval', async () => {
  const article = await openInterlocked('unknown', { verdict: 'needs_approval' })
  await article.findByText(/^Would stay locked by the interlock/)
  expect(article.queryByText('Would ask for approval')).toBeNull()
  const link = article.getByRole('link', { name: 'Open the door’s settings' })
  expect(link.getAttribute('href')).toBe(`/main/sites/${site}?open=${nomsa}`)
})

test('§4 explorer: a door of the same controller that is not reported keeps no other locked', async () => {
  const article = await openInterlocked('unknown', { isShared: false })
  expect(await article.findByText('Would open if the interlock allows it')).toBeTruthy()
  expect(article.queryByText(/Connect the controller/)).toBeNull()
})

test('§4 explorer: the present state of an interlock says nothing of another time', async () => {
  const article = await openInterlocked('unknown', { at: '&at=2026-01-05T09:00:00.000Z' })
  await article.findByText('Would open')
  expect(article.queryByText('Hatch', { selector: 'bdi' })).toBeNull()
})

/** A card that is denied for lack of room; `further`: the findings after it. */
function withoutRoom(...further: readonly DecideAccess['findings'][number][]): DecideAccess {
  const credential = { _id: card, kind: 'card', number: '4711', status: 'active' }
  return decideAccess.output.parse({
    at: '2026-01-05T09:00:00.000Z',
    siteTime: '2026-01-05T09:00:00',
    door: {
      _id: gate,
      name: 'Gate',
      account: site,
      site: { _id: site, name: 'Dry dock', timeZone: 'UTC' },
      readers: ['entry'],
    },
    unit: { _id: unit, name: 'Gatehouse' },
    direction: 'entry',
    person: { _id: nomsa, name: 'Nomsa Dlamini' },
    credential,
    number: null,
    verdict: 'deny',
    reason: 'credential_unknown',
    findings: [
      {
        step: 'credential',
        outcome: 'refused',
        reason: 'credential_unknown',
        facts: { credential: { _id: card, kind: 'card', status: 'active' }, leftOut: true },
        things: [],
        change: { code: 'make_room_for_credential', of: null },
      },
      ...further,
    ],
    others: [],
    moreOthers: 0,
    days: [
      {
        date: '2026-01-05',
        from: '2026-01-05T00:00:00.000Z',
        until: '2026-01-06T00:00:00.000Z',
        open: [],
        holidays: [{ _id: site, name: 'Short hours' }],
      },
    ],
  })
}

test.each([
  [
    { now: 5, later: 1, never: 4, noRoom: 3 },
    '6 users can open Gate: 5 of them now; there is no room on the controller for 3 more; 1 more denied despite a rule.',
  ],
  [
    { now: 0, later: 0, never: 4, noRoom: 3 },
    'No users can open Gate: there is no room on the controller for 3 users; 1 more denied despite a rule.',
  ],
  [{ now: 0, later: 0, never: 1, noRoom: 0 }, 'No users can open Gate: 1 user denied despite a rule.'],
])(
  '§4 explorer: the users who can open a door, and for how many the controller has no room: %o',
  async (counts, words) => {
    const list: DoorAccess = doorAccess.output.parse({
      at: '2026-01-05T09:00:00.000Z',
      door: { _id: gate, name: 'Gate', account: site, site: { _id: site, name: 'Dock', timeZone: 'UTC' }, readers: [] },
      items: [
        {
          _id: nomsa,
          user: { _id: nomsa, name: 'Nomsa Dlamini', account: site },
          state: 'never',
          verdict: 'deny',
          reason: 'credential_unknown',
          credentials: 1,
          noRoom: true,
          opens: [{ direction: 'entry', span: null }],
          rules: [
            {
              _id: null,
              name: null,
              effect: 'allow',
              direction: 'both',
              adhoc: null,
              schedule: null,
              who: { kind: 'User', _id: nomsa, name: 'Nomsa Dlamini' },
              where: { kind: 'Door', _id: gate, name: 'Gate' },
            },
          ],
        },
      ],
      page: { size: 20, totalElements: 1, totalPages: 1, pageNumber: 0 },
      counts,
      hidden: 0,
    })
    await openConsole(`rules/explorer?ask=door&door=${gate}&accessCan=never`, {
      answers: [({ path }) => (path === `/api/doors/${gate}/access` ? list : undefined), nothing],
    })
    const headline = await screen.findByText(/ can open Gate$/)
    expect(headline.closest('p')?.textContent).toBe(words)
    expect(screen.getByText('no room on the controller')).toBeTruthy()
  },
)

test('§4 explorer: a user who opens no door, though rules name them, is shown where the reasons are', async () => {
  const list: UserAccess = userAccess.output.parse({
    at: '2026-01-05T09:00:00.000Z',
    user: { _id: nomsa, name: 'Nomsa Dlamini', account: site },
    items: [],
    page: { size: 20, totalElements: 0, totalPages: 0, pageNumber: 0 },
    counts: { now: 0, later: 0, never: 3, noRoom: 3 },
    hidden: 0,
  })
  await openConsole(`rules/explorer?ask=user&user=${nomsa}`, {
    answers: [({ path }) => (path === `/api/users/${nomsa}/access` ? list : undefined), nothing],
  })
  const headline = await screen.findByText('Nomsa Dlamini cannot open any door')
  expect(headline.closest('p')?.textContent).toBe(
    'Nomsa Dlamini cannot open any door: at 3 doors, there is no room on the controller.',
  )
  expect(screen.getByText('Select Denied to see the reasons.')).toBeTruthy()
})

test.each([
  [0, true],
  [3, false],
])(
  '§4 explorer: a door with no users, %i of them for lack of room, offers another rule: %s',
  async (noRoom, offers) => {
    const list: DoorAccess = doorAccess.output.parse({
      at: '2026-01-05T09:00:00.000Z',
      door: { _id: gate, name: 'Gate', account: site, site: { _id: site, name: 'Dock', timeZone: 'UTC' }, readers: [] },
      items: [],
      page: { size: 20, totalElements: 0, totalPages: 0, pageNumber: 0 },
      counts: { now: 0, later: 0, never: 3, noRoom },
      hidden: 0,
    })
    await openConsole(`rules/explorer?ask=door&door=${gate}`, {
      answers: [({ path }) => (path === `/api/doors/${gate}/access` ? list : undefined), nothing],
    })
    await screen.findByText('No users can open this door')
    expect(screen.queryByRole('button', { name: 'Add a rule' }) !== null).toBe(offers)
  },
)
