import { decideAccess } from '@portcullis/contract/calls/explorer'
import { whyThen } from '@portcullis/contract/calls/why-then'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { storeDecision, testMoment } from './test-decisions.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const account = await server.keyOf(server.account)
const cast = await makeCast()

/** What the histories change: two users with cards, and two doors of one site. */
async function makeCast() {
  const make = async (collection: Written, fields: object = {}) =>
    (await makeItem({ ask, collection, fields: { ...fields } }))._id
  const [site, unit] = [await make('sites', { timeZone: 'Europe/London' }), await make('units')]
  const wired = { site, unit, directions: { entry: true, exit: true } }
  const doors = [await make('doors', { ...wired, unitDoor: 1 }), await make('doors', { ...wired, unitDoor: 2 })]
  const users = [await make('users'), await make('users')]
  return {
    site,
    doors,
    users,
    cards: [await make('credentials', { user: users[0] }), await make('credentials', { user: users[1] })],
    userGroups: [await make('userGroups', { members: users }), await make('userGroups')],
    doorGroups: [await make('doorGroups', { members: doors })],
    siteGroups: [await make('siteGroups', { members: [site] })],
    schedules: [await make('schedules', { windows: always() }), await make('schedules')],
  }
}

function always() {
  return [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }]
}

type Write = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }
type Step =
  | { kind: 'decide'; card: string; door: string }
  | { kind: 'write'; write: Write }
  | { kind: 'rule'; method: Write['method']; which: number; body: object }
  | { kind: 'holiday'; method: 'POST' | 'DELETE'; which: number; body: object }
  | { kind: 'undo'; which: number }

const among = <T>(values: readonly T[]) => fc.constantFrom(...values)
const which = fc.nat(5)
const method = fc.constantFrom('POST', 'POST', 'PATCH', 'DELETE')

function patches<T extends object>(
  collection: Written,
  ids: readonly string[],
  body: fc.Arbitrary<T>,
): fc.Arbitrary<Step> {
  return fc.tuple(among(ids), body).map(([id, changes]) => ({
    kind: 'write',
    write: { method: 'PATCH', path: `/api/${collection}/${id}`, body: changes },
  }))
}

const subject = (kind: string, ids: readonly string[]) => among(ids).map((id) => ({ kind, id }))
const rule = fc.record({
  who: fc.array(fc.oneof(subject('User', cast.users), subject('User Group', cast.userGroups)), {
    minLength: 1,
    maxLength: 2,
  }),
  where: fc.array(
    fc.oneof(
      subject('Door', cast.doors),
      subject('Site', [cast.site]),
      subject('Door Group', cast.doorGroups),
      subject('Site Group', cast.siteGroups),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  effect: fc.constantFrom('allow', 'allow', 'allow', 'deny'),
  schedule: fc.oneof(fc.constant(null), among(cast.schedules)),
  direction: fc.constantFrom('both', 'both', 'entry', 'exit'),
  enabled: fc.constantFrom(true, true, true, false),
})

const today = new Date().toISOString().slice(0, 10)
const holiday = fc.constantFrom(today, '2020-01-01').map((day) => ({
  name: 'A holiday',
  kind: 'public',
  dates: [{ from: day, until: day, recurring: false }],
}))
const bound = fc.constantFrom(null, '2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z')

const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('decide'), card: among(cast.cards), door: among(cast.doors) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('rule'), method, which, body: rule }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('holiday'),
      method: fc.constantFrom('POST', 'DELETE'),
      which,
      body: holiday,
    }),
  },
  patches('schedules', cast.schedules, fc.record({ windows: fc.constantFrom(always(), []) })),
  patches('userGroups', cast.userGroups, fc.record({ members: fc.subarray(cast.users) })),
  patches('users', cast.users, fc.record({ groups: fc.subarray(cast.userGroups) })),
  patches('users', cast.users, fc.record({ status: fc.constantFrom('active', 'active', 'suspended') })),
  patches('users', cast.users, fc.record({ validUntil: bound })),
  patches('credentials', cast.cards, fc.record({ status: fc.constantFrom('active', 'active', 'lost') })),
  patches('doorGroups', cast.doorGroups, fc.record({ members: fc.subarray(cast.doors) })),
  patches('siteGroups', cast.siteGroups, fc.record({ members: fc.subarray([cast.site]) })),
  patches(
    'doors',
    cast.doors,
    fc.record({ enabled: fc.constantFrom(true, true, false), name: fc.constantFrom('A', 'B') }),
  ),
)

/** Far longer than it takes on a busy machine. */
const patienceMs = 240_000

/** Plays steps with the real calls, and keeps each decision with the policy in memory at its moment. */
function player() {
  const made: Record<'rules' | 'holidays', string[]> = { rules: [], holidays: [] }
  const entries: string[] = []
  const decided: { event: string; decision: object }[] = []
  return { play, decided, changes: () => entries.length }

  async function play(step: Step) {
    if (step.kind === 'decide') return decide(step)
    if (step.kind === 'undo') {
      const entry = entries.at(-1 - step.which)
      return entry && write({ method: 'POST', path: `/api/auditLogs/${entry}/undo` })
    }
    return step.kind === 'write' ? write(step.write) : writeMade(step.kind === 'rule' ? 'rules' : 'holidays', step)
  }

  async function writeMade(
    collection: keyof typeof made,
    { method: verb, which: at, body }: Exclude<Step, { kind: 'decide' | 'undo' | 'write' }>,
  ) {
    const ids = made[collection]
    if (verb === 'POST') {
      const { item } = await write({ method: verb, path: `/api/${collection}`, body: { name: 'A rule', ...body } })
      ids.push(item._id)
    } else if (ids.length > 0) {
      await write({
        method: verb,
        path: `/api/${collection}/${ids[at % ids.length]}`,
        ...(verb === 'PATCH' ? { body } : {}),
      })
    }
  }

  /** A change may be refused, such as one that is undone twice or that others depend on. */
  async function write({ method: verb, path, body }: Write) {
    const answer = await ask(verb, path, body ? { body } : {})
    expect(answer.status, `${verb} ${path} ${answer.error.message}`).toBeLessThan(500)
    const entry = answer.headers.get('x-history-id')
    if (entry !== null && answer.status < 400) entries.push(entry)
    return answer
  }

  async function decide({ card: credential, door }: { card: string; door: string }) {
    const at = await testMoment()
    const { json } = await ask('POST', '/api/explorer/decide', { body: { door, credential, at } })
    const { verdict, reason, findings } = decideAccess.output.parse(json)
    const outcome = verdict === 'grant' ? 'granted' : 'denied'
    const event = await storeDecision(server.database, { account, at, door, credential, outcome, reason })
    decided.push({ event, decision: { verdict, reason, findings } })
  }
}

test(
  'a past decision equals the one of its moment, whatever was changed, deleted and undone since',
  async () => {
    const reasons = new Set<string>()
    let changes = 0
    const run = fc.asyncProperty(fc.array(anyStep, { minLength: 50, maxLength: 50 }), async (steps) => {
      const { play, decided, ...played } = player()
      for (const each of steps) await play(each)
      changes += played.changes()
      for (const { event, decision } of decided) {
        const answer = whyThen.output.parse((await ask('GET', `/api/events/${event}/whyThen`)).json)
        expect(answer.decision).toEqual(decision)
        expect(answer.serverDecision).toBeNull()
        reasons.add(answer.decision?.reason ?? 'granted')
      }
    })
    await fc.assert(run, { numRuns: 4, endOnFailure: true })
    expect(changes).toBeGreaterThan(50)
    expect(reasons.size).toBeGreaterThan(2)
  },
  patienceMs,
)
