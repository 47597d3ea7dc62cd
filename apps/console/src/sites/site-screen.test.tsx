import type { LeftOut } from '@portcullis/contract/calls/left-out'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { schedules } from '@portcullis/contract/collections/schedules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dock = itemOf(sites, { name: 'Dry dock', timeZone: 'UTC' })

test('§4 forms: the form of a site asks before it discards changes, and closes at once without any', async () => {
  const { user } = await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(sites, [dock]),
      holding(doors, []),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Edit site' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Dry dock 2')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '{Backspace}{Backspace}')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a disabled door shows the progress of its lockdown, and one without a mode shows only that it is disabled', async () => {
  const at = '2026-01-05T09:00:00.000Z'
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id })
  const wired = { site: dock._id, unit: unit._id, unitDoor: 1, enabled: false }
  const locked = { mode: 'lockdown', modeVersion: 2, appliedModeVersion: 1, modeSetAt: at } as const
  await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      holding(sites, [dock]),
      holding(doors, [
        itemOf(doors, { name: 'Gate', ...wired, ...locked }),
        itemOf(doors, { name: 'Hatch', ...wired, unitDoor: 2 }),
      ]),
    ],
  })
  const gate = (await screen.findByText(/not confirmed by the controller yet/)).closest('tr, [role=row]')
  expect(gate?.textContent).toMatch(/Gate.*Disabled.*Lockdown requested.*requested/)
  expect(screen.getAllByText('Disabled')).toHaveLength(2)
  expect(screen.getAllByText('Lockdown requested')).toHaveLength(1)
})

test('a door whose controller is offline shows its last known state, and unlocking it once shows why it failed', async () => {
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id, status: 'offline' })
  const gate = itemOf(doors, {
    name: 'Gate',
    site: dock._id,
    unit: unit._id,
    unitDoor: 1,
    enabled: true,
    state: 'closed',
  })
  const at = new Date().toISOString()
  const failed = { status: 'not_delivered', detail: 'not_connected', requestedAt: at, expiresAt: at, endedAt: at }
  const command = { _id: unit._id, door: gate._id, action: 'unlockOnce', sentAt: null, ...failed }
  const { user } = await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (/unlockOnce$|\/commands\//.test(path) ? command : undefined),
      holding(units, [unit]),
      holding(sites, [dock]),
      holding(doors, [gate]),
    ],
  })
  const note = await screen.findByText('Last known: controller offline')
  expect(note.closest('td, [role=cell]')?.textContent).toMatch(/^Closed/)
  await user.click(screen.getByRole('button', { name: 'Unlock once' }))
  expect(await screen.findByText('The controller was not connected')).toBeTruthy()
})

test('only the controllers of the doors on the page are read, in one request', async () => {
  const near = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id, status: 'online' })
  const far = itemOf(units, { name: 'Boathouse', serial: 'PC-2', site: dock._id, status: 'offline' })
  const gates = [near, far, far].map((unit, index) =>
    itemOf(doors, { name: `Gate ${index}`, site: dock._id, unit: unit._id, unitDoor: index + 1, enabled: true }),
  )
  const { sent } = await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [near, far]),
      holding(sites, [dock]),
      holding(doors, gates),
    ],
  })
  expect(await screen.findAllByText('Last known: controller offline')).toHaveLength(2)
  const filters = sent('GET', '/api/units').map(({ query }) => query.get('filter'))
  expect(filters).toEqual([JSON.stringify({ _id: { in: [near._id, far._id] } })])
})

test('§4 lists: a door shows when its state and its mode change on the clocks of the viewer and of the site', async () => {
  vi.stubEnv('TZ', 'America/New_York')
  const yard = itemOf(sites, { name: 'Yard', timeZone: 'Asia/Tokyo' })
  const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: yard._id })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const held = { mode: 'unlocked', modeUntil: until, modeSetAt: '2026-01-05T09:00:00.000Z' } as const
  const gate = { site: yard._id, unit: unit._id, unitDoor: 1, enabled: true, stateAt: '2026-01-05T21:59:00.000Z' }
  const { user } = await openConsole(`sites/${yard._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(units, [unit]),
      holding(sites, [yard]),
      holding(doors, [itemOf(doors, { name: 'Gate', ...gate, ...held })]),
    ],
  })
  await screen.findByText('6 Jan 06:59 UTC+9 at the site')
  expect(screen.getAllByText(/UTC\+9 at the site$/)).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: /Gate/, expanded: false }))
  await user.click(await screen.findByRole('menuitem', { name: 'Hold unlocked until…' }))
  expect(await within(await screen.findByRole('dialog')).findByText(/UTC\+9 at the site$/)).toBeTruthy()
  vi.unstubAllEnvs()
})

test('a door for which its controller has no room says so, and cannot be unlocked', async () => {
  const held = {
    mode: 'blocked',
    modeSetAt: since,
    modeVersion: 1,
    appliedModeVersion: 1,
    modeAppliedAt: since,
  } as const
  const [gate, hatch] = [doorOfFull('Gate', held), doorOfFull('Hatch', held)]
  const { user } = await openFull({ all: [gate, hatch], leftOut: [hatch] })
  const reason = await screen.findByText('The controller has no room for this door')
  const row = rowOf(reason)
  expect(row.textContent).toMatch(/Hatch.*Not on controller/)
  expect(within(row).getByText('Blocked')).toBeTruthy()
  expect(row.textContent).not.toContain('confirmed')
  expect(within(row).queryByRole('time')).toBeNull()
  expect(within(row).getByRole('button', { name: 'Unlock once' })).toHaveProperty('disabled', true)
  const buttons = screen.getAllByRole<HTMLButtonElement>('button', { name: 'Unlock once' })
  expect(buttons.filter(({ disabled }) => !disabled)).toHaveLength(1)

  await user.click(screen.getByRole('button', { name: /Hatch/, expanded: false }))
  const items = await screen.findAllByRole<HTMLButtonElement>('menuitem')
  expect(items.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    [expect.stringMatching(/^Hold unlocked.*The controller has no room for this door$/), true],
    ['Block…', false],
    ['Lock down…', false],
    ['Return to schedule', false],
  ])
})

test('a door that its controller loses with the next version shows its state, and can be unlocked', async () => {
  const gate = doorOfFull('Gate', { state: 'forced' })
  await openFull({ all: [gate], leftOut: [gate], isApplied: false })
  expect(rowOf(await screen.findByText('Gate')).textContent).toContain('Forced')
  expect(screen.queryByText('Not on controller')).toBeNull()
  expect(screen.getByRole('button', { name: 'Unlock once' })).toHaveProperty('disabled', false)
})

test.each([
  ['forced', 'Forced'],
  ['held', 'Held open'],
  ['open', 'Open'],
] as const)('a door that was %s when its controller lost it shows that first', async (state, word) => {
  const gate = doorOfFull('Gate', { state })
  await openFull({ all: [gate], leftOut: [gate] })
  expect(rowOf(await screen.findByText('Not on controller')).textContent).toContain(`${word}Not on controller`)
})

test('a door of a full controller looks neither closed nor ready before its room is known, nor if that fails', async () => {
  const [gate, hatch] = [doorOfFull('Gate', {}), doorOfFull('Hatch', { state: 'forced' })]
  const { promise, resolve } = Promise.withResolvers<Response>()
  await openFull({ all: [gate, hatch], leftOut: [], instead: promise })
  await screen.findByText('Forced')
  await waitFor(() => expect(screen.queryByText('Closed')).toBeNull())
  const buttons = screen.getAllByRole('button', { name: 'Unlock once' })
  for (const button of buttons) expect(button).toHaveProperty('disabled', true)
  resolve(refusal({ code: 'not_found' }))
  expect(rowOf(await screen.findByText('Unknown')).textContent).toContain('Gate')
  screen.getByText('room on the controller not checked')
  expect(screen.queryByText('Closed')).toBeNull()
  expect(screen.getByText('Forced')).toBeTruthy()
})

test('the drawer of a door begins with its missing room', async () => {
  const hatch = doorOfFull('Hatch', {})
  await openFull({ all: [hatch], leftOut: [hatch], open: hatch })
  const drawer = await screen.findByRole('dialog', { name: 'Hatch' })
  const mark = await within(drawer).findByText('Not on controller')
  const first = within(drawer).getByRole('textbox', { name: 'Name' })
  expect(mark.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

const since = '2026-01-05T09:00:00.000Z'
const full = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id, capacityExceededSince: since })

function doorOfFull(name: string, fields: Partial<EntityOf<typeof doors>>) {
  return itemOf(doors, {
    name,
    site: dock._id,
    unit: full._id,
    unitDoor: 1,
    state: 'closed',
    stateAt: since,
    ...fields,
  })
}

type Full = {
  all: EntityOf<typeof doors>[]
  leftOut: EntityOf<typeof doors>[]
  isApplied?: boolean
  /** Sent instead of the answer. */
  instead?: Promise<Response>
  /** Shown in the drawer. */
  open?: EntityOf<typeof doors>
}

/** The site of a controller that is full. */
function openFull({ all, leftOut, isApplied = true, instead, open }: Full) {
  const answer: LeftOut = {
    isApplied,
    credentials: 0,
    cardholders: { total: 0, items: [] },
    incomplete: [],
    doors: leftOut.map(({ _id, name }) => ({ _id, name })),
    schedules: [],
  }
  return openConsole(open ? `sites/${dock._id}?open=${open._id}` : `sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) => (path === `/api/units/${full._id}/leftOut` ? (instead ?? answer) : undefined),
      holding(units, [full]),
      holding(sites, [dock]),
      holding(doors, all),
      holding(schedules, []),
      holding(userGroups, []),
    ],
  })
}

function rowOf(element: HTMLElement) {
  const row = element.closest<HTMLElement>('tr, [role=row]')
  if (!row) throw new Error('no row')
  return row
}

test.each([
  [3, '3 users inside'],
  [null, /^Users inside are not counted\. To count them, put the doors in a door group with anti-passback/],
])('§2 the page of a site shows how many users are inside: %s', async (inside, words) => {
  const counts = {
    total: 0,
    unknown: 0,
    forced: 0,
    held: 0,
    lockedDown: 0,
    blocked: 0,
    unlocked: 0,
    waiting: 0,
    disabled: 0,
  }
  await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path }) =>
        path === '/api/sites/states'
          ? { sites: [{ _id: dock._id, doors: counts, doorIds: {}, units: null, unitIds: null, inside }] }
          : undefined,
      holding(sites, [dock]),
      holding(doors, []),
    ],
  })
  expect(await screen.findByText(words)).toBeTruthy()
})

test('a number of the site list leads to the doors that it counts, and names them as a filter', async () => {
  const [gate, hatch] = ['Gate', 'Hatch'].map((name) => itemOf(doors, { name, site: dock._id }))
  const asked: (string | null)[] = []
  await openConsole(`sites/${dock._id}?door=${gate?._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ path, query }) => {
        if (path === '/api/doors') asked.push(query.get('filter'))
        return undefined
      },
      holding(sites, [dock]),
      holding(
        doors,
        [gate, hatch].filter((each) => each !== undefined),
      ),
    ],
  })
  await screen.findAllByText('Gate')
  expect(asked.some((filter) => filter?.includes(gate?._id ?? '') && filter.includes(dock._id))).toBe(true)
  expect(await screen.findByRole('button', { name: /Door.*Gate/ })).toBeTruthy()
})
