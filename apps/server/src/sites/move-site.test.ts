import { maxMovedTogether } from '@portcullis/contract/moved-items'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { makeTwoAccounts } from '../moves/test-two-accounts.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

/** Two accounts side by side, and in the first a site with a wired door, a door without a controller, and a spare controller. */
async function twoAccounts() {
  const { above, old, next } = await makeTwoAccounts(server)
  const site = await old.make('sites', { name: 'Harbour' })
  const [unit, spare] = [await old.make('units', { name: 'Gatehouse' }), await old.make('units', { site })]
  const gate = await old.make('doors', { name: 'Main gate', site, unit, unitDoor: 1 })
  const hatch = await old.make('doors', { name: 'Hatch', site })
  return { above, old, next, site, unit, spare, gate, hatch }
}

const move = (ask: TestUser['ask'], body: { siteId: string; accountId: string }, query = '') =>
  ask('POST', `/api/sites/moveSite${query}`, { body })

const read = async (ask: TestUser['ask'], path: string) => (await ask('GET', `/api/${path}`)).item

describe('§7 moveSite', () => {
  test('moves the site with all its doors and controllers, and both accounts record it', async () => {
    const { old, next, site, unit, spare, gate, hatch } = await twoAccounts()
    const { status, json } = await move(old.ask, { siteId: site, accountId: next._id })
    expect([status, json]).toMatchObject([200, { moved: true, units: 2, doors: 2, sites: 1, copiedSites: 0 }])
    for (const path of [`sites/${site}`, `units/${unit}`, `units/${spare}`, `doors/${gate}`, `doors/${hatch}`]) {
      expect((await old.ask('GET', `/api/${path}`)).status, path).toBe(404)
      expect(await read(next.ask, path)).toMatchObject({ account: next._id })
    }
    expect(await read(next.ask, `doors/${gate}`)).toMatchObject({ site, unit, unitDoor: 1 })
    for (const { ask } of [old, next]) {
      const filter = encodeURIComponent(JSON.stringify({ item: site, action: 'patch' }))
      expect((await ask('GET', `/api/auditLogs?filter=${filter}`)).json).toMatchObject({
        items: [{ before: { account: old._id }, after: { account: next._id } }],
      })
    }
  })

  test('a preview names what would move, leave and lose, and stores nothing', async () => {
    const { old, next, site, gate } = await twoAccounts()
    const user = await old.make('users', { name: 'Ann' })
    await old.make('credentials', { user })
    await old.make('doorGroups', { name: 'Gates', members: [gate] })
    await old.make('siteGroups', { name: 'Coast', members: [site] })
    const where = [{ kind: 'Site', id: site }]
    const rule = await old.make('rules', { name: 'Guards', who: [{ kind: 'User', id: user }], where })
    const body = { siteId: site, accountId: next._id }
    const preview = () => move(old.ask, body, '?preview=true')
    await expect
      .poll(async () => (await preview()).json)
      .toMatchObject({
        moved: false,
        leftGroups: 2,
        leftRules: 1,
        names: {
          doors: [{ name: 'Hatch' }, { name: 'Main gate' }],
          sites: [{ name: 'Harbour' }],
          leftGroups: [{ name: 'Coast' }, { name: 'Gates' }],
          leftRules: [{ name: 'Guards' }],
        },
        losesDoors: { count: 1, people: [{ name: 'Ann' }] },
      })
    expect(await read(old.ask, `sites/${site}`)).toMatchObject({ version: 1 })
    expect(await read(old.ask, `rules/${rule}`)).toMatchObject({ where })
    expect((await move(old.ask, body)).json).toMatchObject({ moved: true, leftGroups: 2, leftRules: 1 })
    expect(await read(old.ask, `rules/${rule}`)).toMatchObject({ where: [] })
  })

  test('a move takes one version of the policy for all its doors, and one for all rules that they leave', async () => {
    const { old, next, site, gate, hatch } = await twoAccounts()
    const rules: string[] = []
    for (const id of [gate, hatch]) rules.push(await old.make('rules', { where: [{ kind: 'Door', id }] }))
    await move(old.ask, { siteId: site, accountId: next._id })
    const versionsOf = (items: string[]) =>
      server.database.asSystem((tx) =>
        tx.rows(
          z.object({ versions: z.int(), entries: z.int() }),
          sql`select count(distinct history_policy_version)::int as versions, count(history_policy_version)::int as entries
                from history where history_item = any(${items}::uuid[]) and history_action = 'patch'`,
        ),
      )
    expect(await versionsOf([gate, hatch])).toEqual([{ versions: 1, entries: 2 }])
    expect(await versionsOf(rules)).toEqual([{ versions: 1, entries: 2 }])
  })

  test('an empty site moves alone', async () => {
    const { old, next } = await twoAccounts()
    const empty = await old.make('sites')
    expect((await move(old.ask, { siteId: empty, accountId: next._id })).json).toMatchObject({ sites: 1, doors: 0 })
    expect(await read(next.ask, `sites/${empty}`)).toMatchObject({ account: next._id })
  })

  test('is refused while a controller also has a door at another site, and names it', async () => {
    const { old, next, site, unit } = await twoAccounts()
    await old.make('doors', { site: await old.make('sites'), unit, unitDoor: 2 })
    const { status, error } = await move(old.ask, { siteId: site, accountId: next._id }, '?preview=true')
    expect([status, error.code]).toEqual([422, 'site_shares_unit'])
    expect(error.message).toContain('Gatehouse')
  })

  test('is refused while a controller of another site has a door at this one, and names it', async () => {
    const { old, next, site } = await twoAccounts()
    const unit = await old.make('units', { name: 'Depot panel', site: await old.make('sites') })
    await old.make('doors', { site, unit, unitDoor: 1 })
    const { status, error } = await move(old.ask, { siteId: site, accountId: next._id })
    expect([status, error.code]).toEqual([422, 'site_shares_unit'])
    expect(error.message).toContain('Depot panel')
  })

  test.each(['doors', 'units'] as const)(
    'is refused while %s of another account belong to the site',
    async (collection) => {
      const { above, old, next, site } = await twoAccounts()
      await makeItem({ ask: above, collection, fields: { site } })
      for (const query of ['', '?preview=true']) {
        const { status, error } = await move(old.ask, { siteId: site, accountId: next._id }, query)
        expect([status, error.code]).toEqual([422, 'site_tied_elsewhere'])
      }
      expect(await read(old.ask, `sites/${site}`)).toMatchObject({ version: 1 })
    },
  )

  test('is refused while one of its doors is in a lockdown, and names the lockdown', async () => {
    const { old, next, site, unit, gate } = await twoAccounts()
    const places = [{ kind: 'Door', id: gate }]
    const plan = await old.make('lockdownPlans', { name: 'Intruder', places })
    const lockdown = await old.ask('POST', `/api/lockdownPlans/${plan}/start`)
    expect(lockdown.status).toBe(200)
    const body = { siteId: site, accountId: next._id }
    const ofUnits = { unitIds: [unit], toAccount: next._id }
    for (const { status, error } of [
      await move(old.ask, body),
      await move(old.ask, body, '?preview=true'),
      await old.ask('POST', '/api/units/moveUnits', { body: ofUnits }),
      await old.ask('POST', '/api/units/moveUnits', { body: { ...ofUnits, dryRun: true } }),
    ]) {
      expect([status, error.code]).toEqual([422, 'door_in_lockdown'])
      expect(error.message).toContain('Intruder')
    }
    expect((await old.ask('POST', `/api/lockdowns/${lockdown.item['_id']}/end`)).status).toBe(200)
    expect((await move(old.ask, body)).json).toMatchObject({
      moved: true,
      leftRules: 0,
      leftPlans: 1,
      names: { leftRules: [], leftPlans: [{ name: 'Intruder' }] },
    })
    expect(await read(old.ask, `lockdownPlans/${plan}`)).toMatchObject({ places: [] })
  })

  test('is refused for a lockdown that starts while the move waits', async () => {
    const { old, next, site, gate } = await twoAccounts()
    const moving = Promise.withResolvers<Awaited<ReturnType<typeof move>>>()
    const lockdowns = JSON.stringify([{ _id: gate, name: 'Intruder' }])
    await server.database.asSystem(async (tx) => {
      await tx.run(sql`update door set door_lockdowns = ${lockdowns}::jsonb where door_id = ${gate}`)
      move(old.ask, { siteId: site, accountId: next._id }).then(moving.resolve, moving.reject)
      const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
        where locktype = 'transactionid' and not granted and datname = current_database()`
      await expect.poll(() => server.database.asSystem((other) => other.run(waiting))).toBe(1)
    })
    expect((await moving.promise).error.code).toBe('door_in_lockdown')
    expect(await read(old.ask, `doors/${gate}`)).toMatchObject({ account: old._id })
  })

  test('a preview names the users who begin and cease to see the site', async () => {
    const { old, next, site } = await twoAccounts()
    const admin = (name: string, { make, ref }: typeof old) =>
      make('users', { name, role: 'admin', email: `${name}@${ref}.example` })
    await admin('Olga', old)
    await admin('Nils', next)
    const { json } = await move(old.ask, { siteId: site, accountId: next._id }, '?preview=true')
    expect(json).toMatchObject({
      loses: { count: 1, people: [{ name: 'Olga' }] },
      gains: { count: 1, people: [{ name: 'Nils' }] },
      changes: { count: 0 },
    })
  })

  test('is refused while an interlock ties its doors to those of another site', async () => {
    const { old, next, site, gate } = await twoAccounts()
    const elsewhere = await old.make('units')
    const door = await old.make('doors', { site: await old.make('sites'), unit: elsewhere, unitDoor: 1 })
    await old.make('interlockingGroups', { doors: [gate, door].toSorted() })
    const { status, error } = await move(old.ask, { siteId: site, accountId: next._id })
    expect([status, error.code]).toEqual([422, 'units_share_interlock'])
  })

  test('is refused for more doors and controllers than may move at once', async () => {
    const { old, next, site, hatch } = await twoAccounts()
    const body = { siteId: site, accountId: next._id }
    const columns = sql`door_account, door_site, door_relock_after_seconds, door_held_open_after_seconds, door_directions`
    const addDoors = (count: number) =>
      server.database.asSystem((tx) =>
        tx.run(sql`insert into door (door_id, door_name, ${columns}) select gen_random_uuid(), 'Door ' || number, ${columns}
          from door, generate_series(1, ${count}) number where door_id = ${hatch}`),
      )
    await addDoors(maxMovedTogether - 4)
    expect((await move(old.ask, body, '?preview=true')).status).toBe(200)
    await addDoors(1)
    for (const query of ['', '?preview=true']) {
      const { status, error } = await move(old.ask, body, query)
      expect([status, error.code]).toEqual([422, 'move_too_large'])
    }
  })

  test('is refused for sites and accounts out of scope, and for accounts of another tree', async () => {
    const { old, next, site } = await twoAccounts()
    const other = await next.make('sites')
    const wrong = await move(old.ask, { siteId: other, accountId: next._id })
    expect([wrong.status, Object.keys(wrong.error.fields)]).toEqual([422, ['siteId']])
    const { status } = await move(old.ask, { siteId: site, accountId: other })
    expect(status).toBeGreaterThanOrEqual(400)
    const { ask } = await server.signInAs({ role: 'accessManager' })
    expect((await move(ask, { siteId: site, accountId: next._id })).status).toBe(403)
  })
})
