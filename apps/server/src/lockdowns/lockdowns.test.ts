import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { lockTree } from '../history/lock-tree.ts'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let site: string
let unit: string
let ports = 0
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  site = (await client.of(sites).create({ name: 'Harbour', timeZone: 'Africa/Johannesburg' }))._id
  unit = (await client.of(units).create({ name: 'Gatehouse', serial: 'PC-1', site }))._id
})
afterAll(() => server.stop())

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const read = (door: string) => server.client.of(doors).get(door)

async function makeDoor(name: string, wired: { site?: string; unit?: string | null } = {}) {
  const to = { unit, ...wired }
  const unitDoor = to.unit === null ? null : ++ports
  return (await server.client.of(doors).create({ name, site, ...to, unitDoor }))._id
}

async function planFor(...named: string[]) {
  const places = named.map((id) => ({ kind: 'Door' as const, id }))
  return (await server.client.of(lockdownPlans).create({ name: 'Everything', places }))._id
}

test('§6 lockdown: a plan names doors by door, door group, site and site group, at the moment of the start', async () => {
  const all = server.client
  const elsewhere = (await all.of(sites).create({ name: 'Depot', timeZone: 'UTC' }))._id
  const grouped = (await all.of(sites).create({ name: 'Yard', timeZone: 'UTC' }))._id
  const [alone, inGroup, untouched] = [await makeDoor('Alone'), await makeDoor('In group'), await makeDoor('Untouched')]
  const ofSite = await makeDoor('Of site', { site: elsewhere })
  const ofGroup = await makeDoor('Of site group', { site: grouped })
  const unwired = await makeDoor('Unwired', { site: elsewhere, unit: null })
  const doorGroup = (await all.of(doorGroups).create({ name: 'Some', members: [inGroup] }))._id
  const siteGroup = (await all.of(siteGroups).create({ name: 'Yards', members: [grouped] }))._id
  const plan = await all.of(lockdownPlans).create({
    name: 'Places',
    places: [
      { kind: 'Door', id: alone },
      { kind: 'Door Group', id: doorGroup },
      { kind: 'Site', id: elsewhere },
      { kind: 'Site Group', id: siteGroup },
    ],
  })
  const lockdown = await all.startLockdown(plan._id)
  const later = await makeDoor('Later', { site: elsewhere })
  for (const door of [alone, inGroup, ofSite, ofGroup]) {
    const { _id, name } = lockdown
    expect(await read(door)).toMatchObject({ mode: 'lockdown', modeVersion: 1, lockdowns: [{ _id, name }] })
  }
  for (const door of [untouched, unwired, later])
    expect(await read(door)).toMatchObject({ mode: 'normal', lockdowns: [] })
  expect((await all.activeLockdowns()).find(({ _id }) => _id === lockdown._id)?.doors).toEqual({
    total: 4,
    confirmed: 0,
    unreachable: 4,
  })
  const states = await all.lockdownDoors(lockdown._id)
  expect(states.map(({ name, state }) => ({ name, state }))).toEqual(
    ['Of site', 'Alone', 'In group', 'Of site group'].map((name) => ({ name, state: 'unreachable' })),
  )
  await all.endLockdown(lockdown._id)
  expect(await all.lockdownDoors(lockdown._id)).toEqual([])
})

test('§6 lockdown: a door that is held or blocked returns to that mode when its last lockdown ends', async () => {
  const { client } = server
  const until = inAnHour()
  const [held, blocked] = [await makeDoor('Held'), await makeDoor('Blocked')]
  await client.setDoorMode(held, { mode: 'unlocked', until })
  await client.setDoorMode(blocked, { mode: 'blocked', until: null })
  const first = await client.startLockdown(await planFor(held, blocked))
  const second = await client.startLockdown(await planFor(held))
  const before = await read(held)
  expect(before).toMatchObject({
    mode: 'lockdown',
    modeUntil: null,
    modeAfterLockdown: { mode: 'unlocked', modeUntil: until },
  })
  await client.endLockdown(first._id)
  expect(await read(held)).toMatchObject({
    mode: 'lockdown',
    modeVersion: before.modeVersion,
    lockdowns: [{ _id: second._id }],
  })
  expect(await read(blocked)).toMatchObject({
    mode: 'blocked',
    modeUntil: null,
    lockdowns: [],
    modeAfterLockdown: null,
  })
  await client.endLockdown(second._id)
  const after = { mode: 'unlocked', modeUntil: until, modeVersion: before.modeVersion + 1, modeAfterLockdown: null }
  expect(await read(held)).toMatchObject(after)
})

describe('a hold does not come back after a lockdown', () => {
  test.each([
    [
      'if it is over',
      () =>
        sql`update door set door_mode_after_lockdown = jsonb_set(door_mode_after_lockdown, '{modeUntil}', '"2020-01-01T00:00:00.000Z"')`,
    ],
    [
      'if the controller has no room for the door',
      (door: string) => sql`update unit_state set unit_state_left_out = ${JSON.stringify({ doors: [door] })}::jsonb`,
    ],
  ])('%s', async (_, meanwhile) => {
    const { client, database } = server
    const door = await makeDoor('Held')
    await client.setDoorMode(door, { mode: 'unlocked', until: inAnHour() })
    const { _id } = await client.startLockdown(await planFor(door))
    const ofDoor = sql`(select door_unit from door where door_id = ${door})`
    await database.asSystem((tx) =>
      tx.run(sql`${meanwhile(door)} where ${door}::uuid is not null and ${ofDoor} is not null`),
    )
    await client.endLockdown(_id)
    expect(await read(door)).toMatchObject({ mode: 'normal', modeUntil: null })
    await database.asSystem((tx) => tx.run(sql`update unit_state set unit_state_left_out = null`))
  })
})

test('§6 lockdown: a mode set at a door does not end it, and the refusal names the lockdown', async () => {
  const door = await makeDoor('Gate')
  const { _id } = await server.client.startLockdown(await planFor(door))
  for (const body of [{ mode: 'normal' }, { mode: 'unlocked', until: inAnHour() }]) {
    expect(await server.ask('PUT', `/api/doors/${door}/mode`, { body })).toMatchObject({
      status: 422,
      error: { code: 'door_in_lockdown', message: 'Locked down by Everything. End that lockdown first.' },
    })
  }
  await server.client.endLockdown(_id)
  expect((await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'normal' } })).status).toBe(200)
})

test('two users who start a plan at once start one lockdown, and it ends once', async () => {
  const plan = await planFor(await makeDoor('Gate'))
  const other = await server.signInAs({ role: 'accessManager' })
  const start = `/api/lockdownPlans/${plan}/start`
  const started = await Promise.all([server.ask('POST', start), other.ask('POST', start)])
  expect(started.map(({ status }) => status)).toEqual([200, 200])
  const [_id, ...others] = new Set(started.map(({ item }) => item['_id']))
  expect(others).toEqual([])
  expect(started.filter(({ headers }) => headers.has(historyHeader))).toHaveLength(1)
  const ended = [
    await other.ask('POST', `/api/lockdowns/${_id}/end`),
    await server.ask('POST', `/api/lockdowns/${_id}/end`),
  ]
  expect(ended.map(({ item }) => item['endedBy'])).toEqual([other.userId, other.userId])
})

test('§6 lockdown: starting and ending need the right at all doors, and the audit log names the user', async () => {
  const door = await makeDoor('Gate')
  const plan = await planFor(door)
  const statuses: Record<string, number> = {}
  for (const role of ['accessManager', 'installer', 'reportingUser', 'appUser'] as const) {
    const { ask } = await server.signInAs({ role })
    statuses[role] = (await ask('POST', `/api/lockdownPlans/${plan}/start`)).status
  }
  expect(statuses).toEqual({ accessManager: 200, installer: 403, reportingUser: 403, appUser: 403 })
  const { items } = await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: door })}`)
  expect(items[0]).toMatchObject({ action: 'patch', after: { mode: 'lockdown' }, before: { mode: 'normal' } })
})

test('§6 lockdown: a user with a lesser role in an account below neither starts nor ends a lockdown there', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
  const branch = server.in('branch')
  const make = async (collection: string, body: object) =>
    z.uuid().parse((await branch('POST', `/api/${collection}`, { body })).item['_id'])
  const yard = await make('sites', { name: 'Yard', timeZone: 'UTC' })
  const controller = await make('units', { name: 'Yard', serial: 'PC-2', site: yard })
  const door = await make('doors', { name: 'Yard gate', site: yard, unit: controller, unitDoor: 1 })
  const places = [{ kind: 'Site' as const, id: yard }]
  const plan = await server.client.of(lockdownPlans).create({ name: 'Yard', places })
  const lesser = await server.signInAs({ role: 'accessManager' })
  const key = await server.keyOf('branch')
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${lesser.userId}, ${key}, 'reportingUser')`),
  )
  expect(await lesser.ask('POST', `/api/lockdownPlans/${plan._id}/start`)).toMatchObject({ status: 403 })
  const guards = await server.client.of(userGroups).create({ name: 'Guards' })
  const fields = { name: 'By card', places: [], cardGroups: [{ kind: 'User Group', id: guards._id }] }
  expect(await lesser.ask('POST', '/api/lockdownPlans', { body: fields })).toMatchObject({
    status: 403,
    error: { code: 'forbidden_below' },
  })
  expect((await branch('GET', `/api/doors/${door}`)).item).toMatchObject({ mode: 'normal' })
  const { _id } = await server.client.startLockdown(plan._id)
  expect((await branch('GET', `/api/doors/${door}`)).item).toMatchObject({ mode: 'lockdown' })
  expect(await lesser.ask('POST', `/api/lockdowns/${_id}/end`)).toMatchObject({ status: 403 })
  expect((await branch('POST', `/api/lockdowns/${_id}/end`)).status).toBe(404)
  await server.client.endLockdown(_id)
  expect((await branch('GET', `/api/doors/${door}`)).item).toMatchObject({ mode: 'normal' })
})

test('§6 lockdown: its start and its end are events of its account and of each account with some of its doors', async () => {
  const { client, ask } = server
  const inBranch = server.in('branch')
  const make = async (collection: string, body: object) =>
    z.uuid().parse((await inBranch('POST', `/api/${collection}`, { body })).item['_id'])
  const below = await make('sites', { name: 'Quay', timeZone: 'UTC' })
  const controller = await make('units', { name: 'Quay', serial: 'PC-3', site: below })
  await make('doors', { name: 'Quay gate', site: below, unit: controller, unitDoor: 1 })
  const places = [
    { kind: 'Site' as const, id: below },
    { kind: 'Door' as const, id: await makeDoor('Here') },
  ]
  const plan = await client.of(lockdownPlans).create({ name: 'Both', places, endsAfterMinutes: 1 })
  const eventsIn = async (from: typeof ask) => {
    const filter = { type: { in: ['administration.lockdown_started', 'administration.lockdown_ended'] } }
    const { items } = await from('GET', `/api/events?filter=${JSON.stringify(filter)}`)
    const recorded = items.map((item) => recordedLockdown.parse(item))
    return recorded.filter(({ data }) => data.note.plan === 'Both')
  }
  const event = (what: string, doors: number, by: string, user: string | null) => ({
    type: `administration.lockdown_${what}`,
    user,
    data: { note: { code: 'lockdown', plan: 'Both', doors, by } },
  })
  const first = await client.startLockdown(plan._id)
  const { startedBy: me } = first
  await client.startLockdown(plan._id)
  await client.endLockdown(first._id)
  await client.endLockdown(first._id)
  const { _id: second } = await client.startLockdown(plan._id)
  await server.database.asSystem((tx) =>
    tx.run(sql`update lockdown set lockdown_ends_at = now() where lockdown_id = ${second}`),
  )
  const expected = (doors: number) =>
    [
      event('started', doors, 'user', me),
      event('ended', doors, 'user', me),
      event('started', doors, 'user', me),
      event('ended', doors, 'time', null),
    ].toSorted(byText)
  await expect.poll(async () => (await eventsIn(ask)).toSorted(byText)).toEqual(expected(2))
  expect((await eventsIn(inBranch)).toSorted(byText)).toEqual(expected(1))
})

const recordedLockdown = z.object({
  type: z.string(),
  user: z.uuid().nullable(),
  data: z.object({ note: z.object({ code: z.string(), plan: z.string(), doors: z.int(), by: z.string() }) }),
})

function byText(one: object, other: object) {
  return JSON.stringify(one).localeCompare(JSON.stringify(other))
}

test('§6 lockdown: a plan that cards start names the doors where they do', async () => {
  const guards = await server.client.of(userGroups).create({ name: 'Red cards' })
  const cardGroups = [{ kind: 'User Group' as const, id: guards._id }]
  const cardDoors = [{ kind: 'Door' as const, id: await makeDoor('Card reader') }]
  const refused = { status: 400, error: { code: 'bad_request', fields: { cardDoors: 'This is required.' } } }
  const fields = { name: 'By card', places: [], cardGroups }
  expect(await server.ask('POST', '/api/lockdownPlans', { body: fields })).toMatchObject(refused)
  const { _id } = await server.client.of(lockdownPlans).create({ ...fields, cardDoors })
  const patch = (body: object) => server.ask('PATCH', `/api/lockdownPlans/${_id}`, { body })
  expect(await patch({ cardDoors: [] })).toMatchObject(refused)
  expect((await patch({ cardDoors: [], cardGroups: [] })).status).toBe(200)
  expect(await patch({ cardGroups })).toMatchObject(refused)
})

test('a plan without a wired door is refused', async () => {
  const plan = await planFor(await makeDoor('Unwired', { unit: null }))
  expect(await server.ask('POST', `/api/lockdownPlans/${plan}/start`)).toMatchObject({
    status: 422,
    error: { code: 'plan_without_doors' },
  })
  expect((await server.client.activeLockdowns()).filter((each) => each.plan === plan)).toEqual([])
})

test('§6 lockdown: a start waits neither for a batch nor for a preview of the account tree', async () => {
  const plan = await planFor(await makeDoor('Gate'))
  const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const root = await server.keyOf(server.account)
  const open = server.database.asSystem(async (tx) => {
    lockTree(tx, { root, turn: 'alone' })
    await tx.run(sql`select next_policy_version(${root})`)
    isLocked.resolve()
    await isOver.promise
  })
  await isLocked.promise
  const started = await server.ask('POST', `/api/lockdownPlans/${plan}/start`).finally(isOver.resolve)
  await open
  expect(started.status).toBe(200)
})

test('§6 lockdown: it ends by itself at its time', async () => {
  const door = await makeDoor('Gate')
  const places = [{ kind: 'Door' as const, id: door }]
  const plan = await server.client.of(lockdownPlans).create({ name: 'Drill', places, endsAfterMinutes: 30 })
  const { _id, startedAt, endsAt } = await server.client.startLockdown(plan._id)
  expect(Date.parse(endsAt ?? '') - Date.parse(startedAt)).toBe(1_800_000)
  await server.database.asSystem((tx) =>
    tx.run(sql`update lockdown set lockdown_ends_at = now() where lockdown_id = ${_id}`),
  )
  await expect.poll(async () => (await read(door)).mode, { timeout: 10_000 }).toBe('normal')
  expect((await server.ask('GET', `/api/lockdowns/${_id}`)).item).toMatchObject({ endedBy: null, endedByName: null })
})

test('a door in a lockdown is neither deleted nor wired otherwise', async () => {
  const door = await makeDoor('Gate')
  const plan = await planFor(door)
  await server.client.startLockdown(plan)
  // A door that a plan names cannot be deleted.
  await server.client.of(lockdownPlans).remove(plan)
  for (const refused of [
    await server.ask('DELETE', `/api/doors/${door}`),
    await server.ask('PATCH', `/api/doors/${door}`, { body: { unit: null, unitDoor: null } }),
  ]) {
    expect([refused.status, refused.error.code]).toEqual([422, 'door_in_lockdown'])
  }
})

test('a deletion that waits while a lockdown starts is refused', async () => {
  const door = await makeDoor('Gate')
  const [isStarting, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lockdowns = JSON.stringify([{ _id: door, name: 'Everything' }])
  const start = server.database.asSystem(async (tx) => {
    await tx.run(
      sql`update door set door_lockdowns = ${lockdowns}::jsonb, door_mode = 'lockdown' where door_id = ${door}`,
    )
    isStarting.resolve()
    await isOver.promise
  })
  await isStarting.promise
  const deletion = server.ask('DELETE', `/api/doors/${door}`)
  await expect.poll(waitingForLocks).toBeGreaterThan(0)
  isOver.resolve()
  await start
  expect((await deletion).error.code).toBe('door_in_lockdown')
})

test('a door that has lost its controller during a lockdown is released with the others', async () => {
  const door = await makeDoor('Gate')
  const { _id } = await server.client.startLockdown(await planFor(door))
  await server.database.asSystem((tx) =>
    tx.run(sql`update door set door_unit = null, door_unit_door = null where door_id = ${door}`),
  )
  await server.client.endLockdown(_id)
  expect(await read(door)).toMatchObject({ mode: 'normal', lockdowns: [], modeAfterLockdown: null })
})

test('a start that waits for a door which moves to an account below locks it down there', async () => {
  const [door, moving] = [await makeDoor('Gate'), await makeDoor('Moving')]
  const plan = await planFor(door, moving)
  const below = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'moved-to' } })
  const key = await server.keyOf(String(below['ref']))
  const [isMoving, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const move = server.database.asSystem(async (tx) => {
    await tx.run(sql`update door set door_account = ${key} where door_id = ${moving}`)
    isMoving.resolve()
    await isOver.promise
  })
  await isMoving.promise
  const started = server.client.startLockdown(plan)
  await expect.poll(waitingForLocks).toBeGreaterThan(0)
  isOver.resolve()
  await move
  const { _id } = await started
  const active = await server.client.activeLockdowns()
  expect(active.find((each) => each._id === _id)?.doors.total).toBe(2)
  expect((await server.client.lockdownDoors(_id)).map(({ name }) => name)).toEqual(['Gate', 'Moving'])
})

test('§6 lockdown: the explorer denies, and names the lockdown', async () => {
  const { client } = server
  const door = await makeDoor('Gate')
  const { _id: credential } = await client.of(credentials).create({ kind: 'card', number: '4711' })
  const decide = async () => {
    const { reason, findings } = await client.explorer.decide({ door, credential })
    return { reason, facts: findings.find(({ step }) => step === 'mode')?.facts }
  }
  const { _id, name } = await client.startLockdown(await planFor(door))
  const denial = { reason: 'door_locked_down', facts: { mode: 'lockdown', lockdowns: [{ _id, name }] } }
  await expect.poll(decide).toEqual(denial)
  await client.endLockdown(_id)
  await expect.poll(async () => (await decide()).facts).toEqual({ mode: 'normal' })
})

async function waitingForLocks() {
  const row = await server.database.asSystem((tx) =>
    tx.first(z.object({ count: z.int() }), sql`select count(*)::int as count from pg_locks where not granted`),
  )
  return row?.count ?? 0
}
