import { describe, expect, afterAll, test, vi } from 'vitest'
import { units } from '@portcullis/contract/collections/units'
import { doors } from '@portcullis/contract/collections/doors'
import sql from 'sql-template-tag'
import { lockTree } from './history/lock-tree.ts'
import { makeItem, type Written } from './collections/test-items.ts'
import { startUnit } from './tasks/test-door.ts'
import { makeTwoAccounts } from './moves/test-two-accounts.ts'
import { startTestServer, type TestUser } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

/** Two accounts side by side, each with its own administrator, and a controller with a door in the first. */
async function twoAccounts() {
  const { above, old, next } = await makeTwoAccounts(server)
  const site = await old.make('sites', { name: 'Harbour', timeZone: 'Africa/Johannesburg', calendars: ['Cape'] })
  const unit = await old.make('units', { name: 'Gatehouse', site })
  const door = await old.make('doors', { name: 'Main gate', site, unit, unitDoor: 1 })
  return { above, old, next, site, unit, door }
}

const move = (ask: TestUser['ask'], unitIds: string[], body: Record<string, unknown>) =>
  ask('POST', '/api/units/moveUnits', { body: { unitIds, ...body } })

const read = async (ask: TestUser['ask'], path: string) => (await ask('GET', `/api/${path}`)).item

test('§7 moveUnits: controllers move with their doors, sites and interlocks, and both accounts record it', async () => {
  const { old, next, site, unit, door } = await twoAccounts()
  const second = await old.make('doors', { site, unit, unitDoor: 2 })
  const interlock = await old.make('interlockingGroups', { doors: [door, second].toSorted() })
  const answer = await move(old.ask, [unit], { toAccount: next._id })
  expect(answer).toMatchObject({
    status: 200,
    json: {
      moved: true,
      units: 1,
      doors: 2,
      sites: 1,
      copiedSites: 0,
      interlocks: 1,
      names: { sites: [{ name: 'Harbour' }] },
    },
  })
  for (const path of [`units/${unit}`, `doors/${door}`, `sites/${site}`, `interlockingGroups/${interlock}`]) {
    expect((await old.ask('GET', `/api/${path}`)).status, path).toBe(404)
    expect(await read(next.ask, path)).toMatchObject({ account: next._id })
  }
  expect(await read(next.ask, `interlockingGroups/${interlock}`)).toMatchObject({ doors: [door, second].toSorted() })
  expect(await read(next.ask, `doors/${door}`)).toMatchObject({ site, unit, unitDoor: 1 })
  for (const { ask } of [old, next]) {
    const { json } = await ask(
      'GET',
      `/api/auditLogs?filter=${encodeURIComponent(JSON.stringify({ item: unit, action: 'patch' }))}`,
    )
    expect(json).toMatchObject({ items: [{ before: { account: old._id }, after: { account: next._id } }] })
  }
})

test('§7 moveUnits: a site that keeps another door is copied', async () => {
  const { old, next, site, unit, door } = await twoAccounts()
  await old.make('doors', { name: 'Back gate', site })
  expect((await move(old.ask, [unit], { toAccount: next._id })).json).toMatchObject({
    sites: 0,
    copiedSites: 1,
    names: { sites: [], copiedSites: [{ name: 'Harbour' }] },
  })
  const moved = doors.entitySchema.parse(await read(next.ask, `doors/${door}`))
  expect(moved.site).not.toBe(site)
  const copy = { name: 'Harbour', timeZone: 'Africa/Johannesburg', calendars: ['Cape'] }
  expect(await read(next.ask, `sites/${moved.site}`)).toMatchObject(copy)
  expect(await read(next.ask, `units/${unit}`)).toMatchObject({ site: moved.site })
  expect(await read(old.ask, `sites/${site}`)).toMatchObject(copy)
})

test('§7 moveUnits: doors leave groups and rules of the old account, and the audit log says so', async () => {
  const { old, next, unit, door, site } = await twoAccounts()
  const [first, schedule] = [await old.make('userGroups'), await old.make('schedules', { name: 'Shop hours' })]
  await old.ask('PATCH', `/api/doors/${door}`, { body: { firstPersonGroup: first, unlockSchedule: schedule } })
  const group = await old.make('doorGroups', { members: [door] })
  const rule = await old.make('rules', {
    where: [
      { kind: 'Door', id: door },
      { kind: 'Site', id: site },
    ],
  })
  const answer = await move(old.ask, [unit], { toAccount: next._id })
  expect(answer.json).toMatchObject({ leftGroups: 1, leftRules: 1, leftFirstPersons: 1, leftUnlockSchedules: 1 })
  expect(answer.json).toMatchObject({ names: { leftUnlockSchedules: [{ _id: schedule, name: 'Shop hours' }] } })
  expect(await read(old.ask, `doorGroups/${group}`)).toMatchObject({ members: [], version: 2 })
  expect(await read(old.ask, `rules/${rule}`)).toMatchObject({ where: [] })
  expect(await read(next.ask, `doors/${door}`)).toMatchObject({ firstPersonGroup: null, unlockSchedule: null })
  const { json } = await old.ask(
    'GET',
    `/api/auditLogs?filter=${encodeURIComponent(JSON.stringify({ item: group, action: 'patch' }))}`,
  )
  expect(json).toMatchObject({ items: [{ before: { members: [door] }, after: { members: [] } }] })
})

test('§7 moveUnits: a dry run changes nothing, and names the users and cardholders concerned', async () => {
  const { old, next, unit, door } = await twoAccounts()
  const user = (name: string, { make }: typeof old, role = 'appUser') =>
    make('users', { name, role, email: `${name}-${old.ref}@people.example` })
  const ann = await user('Ann', old)
  await user('Olga', old, 'admin')
  await user('Nils', next, 'installer')
  const rule = { where: [{ kind: 'Door', id: door }] }
  await old.make('rules', { ...rule, who: [{ kind: 'User', id: ann }] })
  const answer = await move(old.ask, [unit], { toAccount: next._id, dryRun: true })
  expect(answer.json).toMatchObject({
    moved: false,
    losesDoors: { count: 1, people: [{ _id: ann, name: 'Ann' }] },
    loses: { count: 1, people: [{ name: 'Olga' }] },
    gains: { count: 1, people: [{ name: 'Nils' }] },
  })
  expect(await read(old.ask, `units/${unit}`)).toMatchObject({ account: old._id, version: 1 })
})

/** In this database; files that run at the same time have others. */
const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`

test('§7 moveUnits: a dry run answers while a move waits for another change of the tree', async () => {
  const { old, next, unit } = await twoAccounts()
  const root = await server.keyOf(server.account)
  let moving: ReturnType<typeof move> | undefined
  await server.database.asSystem(async (tx) => {
    lockTree(tx, { root, turn: 'alone' })
    await tx.run(sql`select`)
    moving = move(old.ask, [unit], { toAccount: next._id })
    await expect.poll(() => server.database.asSystem((other) => other.run(waiting))).toBe(1)
    expect((await move(old.ask, [unit], { toAccount: next._id, dryRun: true })).json).toMatchObject({ moved: false })
  })
  expect((await moving)?.json).toMatchObject({ moved: true })
})

test('§7 moveUnits: a dry run names the first items of each kind', async () => {
  const { old, next, site, unit, door } = await twoAccounts()
  for (const [index, name] of ['F', 'E', 'D', 'C', 'B', 'A'].entries()) {
    await old.make('doors', { name, site, unit, unitDoor: index + 2 })
  }
  const gates = await old.make('doorGroups', { name: 'Gates', members: [door] })
  await old.make('siteGroups', { name: 'Coast', members: [site] })
  await old.make('rules', { name: 'Guards', where: [{ kind: 'Door', id: door }] })
  await old.make('rules', { name: 'By the group', where: [{ kind: 'Door Group', id: gates }] })
  const { json } = await move(old.ask, [unit], { toAccount: next._id, dryRun: true })
  const named = (...all: string[]) => all.map((name) => ({ name }))
  const names = {
    doors: named('A', 'B', 'C', 'D', 'E').map((item) => ({ ...item, site })),
    sites: [{ _id: site, name: 'Harbour' }],
    copiedSites: [],
    leftGroups: [
      { name: 'Coast', collection: 'siteGroups' },
      { _id: gates, name: 'Gates', collection: 'doorGroups' },
    ],
    leftRules: named('By the group', 'Guards'),
  }
  expect(json).toMatchObject({ doors: 7, leftRules: 2, names })
})

test('§7 moveUnits: rules and users of an account above the old one are counted, but not named', async () => {
  const { old, next } = await twoAccounts()
  await makeItem({ ask: old.ask, collection: 'accounts', fields: { ref: `branch-of-${old.ref}`, name: 'Branch' } })
  const ask = server.in(`branch-of-${old.ref}`)
  const make = async (collection: Written, fields: Record<string, unknown>) =>
    (await makeItem({ ask, collection, fields }))._id
  const site = await make('sites', { name: 'Quay' })
  const unit = await make('units', { site })
  const door = await make('doors', { site, unit, unitDoor: 1 })
  const users = await Promise.all([old.make('users'), make('users', { name: 'Ben' })])
  const who = users.map((id) => ({ kind: 'User', id }))
  await old.make('rules', { name: 'Of the account above', who, where: [{ kind: 'Door', id: door }] })
  const { json } = await move(ask, [unit], { toAccount: next._id, dryRun: true })
  expect(json).toMatchObject({ leftRules: 1, names: { leftRules: [], sites: [{ name: 'Quay' }] } })
  expect(json).toMatchObject({ losesDoors: { count: 2, people: [{ name: 'Ben' }] } })
})

test('§7 moveUnits: users of an account above the user are counted, but not named', async () => {
  const { old, next } = await twoAccounts()
  const ref = `below-${old.ref}`
  await makeItem({ ask: old.ask, collection: 'accounts', fields: { ref, name: 'Below' } })
  await old.make('users', { name: 'Olga', role: 'admin', email: `olga-${old.ref}@above.example` })
  const { ask, userId } = await server.signInAs({ role: 'admin', account: ref })
  const key = await server.keyOf(next.ref)
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${userId}, ${key}, 'admin')`),
  )
  await makeItem({
    ask,
    collection: 'users',
    fields: { name: 'Ben', role: 'admin', email: `ben-${old.ref}@below.example` },
  })
  const unit = (await makeItem({ ask, collection: 'units' }))._id
  const { json } = await move(ask, [unit], { toAccount: next._id, dryRun: true })
  expect(json).toMatchObject({ loses: { count: 2, people: [{ name: 'Ben' }] } })
})

test('§7 moveUnits: the controller gets a configuration without the users of the old account, and its events go to the new one', async () => {
  const { old, next, unit, door } = await twoAccounts()
  const ann = await old.make('users', { name: 'Ann', role: 'appUser' })
  await old.make('credentials', { kind: 'card', number: 'MOVED-1', user: ann })
  await old.make('rules', { who: [{ kind: 'User', id: ann }], where: [{ kind: 'Door', id: door }] })
  const serial = String((await read(old.ask, `units/${unit}`))['serial'])
  const controller = await startUnit({ url: server.url, ask: old.ask }, { unit, serial })
  const present = () => controller.present({ door: 1, number: 'MOVED-1', kind: 'card', direction: 'entry' })
  await vi.waitFor(async () => expect(await present()).toMatchObject({ verdict: 'grant' }), { timeout: 60_000 })
  await move(old.ask, [unit], { toAccount: next._id })
  await vi.waitFor(async () => expect(await present()).toMatchObject({ verdict: 'deny' }), { timeout: 60_000 })
  await vi.waitFor(
    async () => {
      const { desiredVersion, ...state } = units.entitySchema.parse(await read(next.ask, `units/${unit}`))
      expect(state).toMatchObject({ appliedVersion: desiredVersion, fault: null, status: 'online' })
    },
    { timeout: 60_000 },
  )
  await vi.waitFor(
    async () => {
      const { json } = await next.ask(
        'GET',
        `/api/events?filter=${encodeURIComponent(JSON.stringify({ door, type: 'access.denied' }))}`,
      )
      expect(json).toMatchObject({ items: [{ account: next._id }] })
    },
    { timeout: 60_000 },
  )
})

describe('§7 moveUnits: refused, with nothing moved', () => {
  test('where a controller is unknown, or of another account', async () => {
    const { old, next, unit } = await twoAccounts()
    const other = await next.make('units')
    for (const unitIds of [[unit, other], [old._id]]) {
      const { status, error } = await move(old.ask, unitIds, { toAccount: next._id })
      expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['unitIds']])
    }
    expect(await read(old.ask, `units/${unit}`)).toMatchObject({ account: old._id })
  })

  test('where the user manages only one of the accounts', async () => {
    const { old, next, unit } = await twoAccounts()
    const { in: inAccount } = await server.signInAs({ role: 'installer', account: old.ref })
    expect((await move(inAccount(old.ref), [unit], { toAccount: next._id })).status).toBe(403)
  })

  test.each(['moves', 'ends'] as const)(
    'where the new account, or the role in it, %s while the move waits for another change',
    async (what) => {
      const { old, next, unit } = await twoAccounts()
      const { ask, userId } = await server.signInAs({ role: 'admin', account: old.ref })
      const { database } = server
      const [root, key] = [await server.keyOf(server.account), await server.keyOf(next.ref)]
      const member = sql`insert into membership (membership_user, membership_account, membership_role)
        values (${userId}, ${key}, 'admin')`
      await database.asSystem((tx) => tx.run(member))
      expect((await move(ask, [unit], { toAccount: next._id, dryRun: true })).status).toBe(200)
      const change = {
        moves: sql`delete from account_closure where account_closure_descendant = ${key}
          and account_closure_ancestor not in (${key}, ${root})`,
        ends: sql`update membership set membership_status = 'suspended'
          where membership_user = ${userId} and membership_account = ${key}`,
      }
      const moving = Promise.withResolvers<Awaited<ReturnType<typeof move>>>()
      await database.asSystem(async (tx) => {
        lockTree(tx, { root, turn: 'alone' })
        await tx.run(change[what])
        move(ask, [unit], { toAccount: next._id }).then(moving.resolve, moving.reject)
        await expect.poll(() => database.asSystem((other) => other.run(waiting))).toBe(1)
      })
      expect((await moving.promise).error.code).toBe('unavailable')
      expect(await read(old.ask, `units/${unit}`)).toMatchObject({ account: old._id })
    },
  )

  test('where the serial is taken there', async () => {
    const { old, next, unit } = await twoAccounts()
    const { serial } = await read(old.ask, `units/${unit}`)
    await next.make('units', { serial })
    const { status, error } = await move(old.ask, [unit], { toAccount: next._id })
    expect([status, error.code]).toEqual([409, 'taken'])
    expect(await read(old.ask, `units/${unit}`)).toMatchObject({ account: old._id })
  })

  test('where a door of an account above is wired to one', async () => {
    const { above, old, next, unit } = await twoAccounts()
    await makeItem({ ask: above, collection: 'doors', fields: { unit, unitDoor: 9 } })
    const { status, error } = await move(old.ask, [unit], { toAccount: next._id })
    expect([status, error.code]).toEqual([422, 'units_tied_elsewhere'])
  })

  test('where an interlock has doors of others, and moved together with those', async () => {
    const { old, next, unit } = await twoAccounts()
    const [other, number] = [await old.make('units'), { unitDoor: 9 }]
    const doors = [await old.make('doors', { unit, ...number }), await old.make('doors', { unit: other, ...number })]
    const lock = await old.make('interlockingGroups', { doors })
    const { status, error } = await move(old.ask, [unit], { toAccount: next._id })
    expect([status, error.code]).toEqual([422, 'units_share_interlock'])
    expect(await move(old.ask, [unit, other], { toAccount: next._id })).toMatchObject({ status: 200 })
    expect(await read(next.ask, `interlockingGroups/${lock}`)).toMatchObject({ account: next._id })
  })

  test('where the account is the same one', async () => {
    const { old, unit } = await twoAccounts()
    expect(await move(old.ask, [unit], { toAccount: old._id })).toMatchObject({ status: 200, json: { moved: false } })
  })
})
