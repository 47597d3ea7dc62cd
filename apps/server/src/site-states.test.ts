import { siteStates, type SiteState } from '@portcullis/contract/calls/sites'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer, type TestUser } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
const make = (collection: 'sites' | 'units' | 'doors', fields = {}) => makeItem({ ask: server.ask, collection, fields })

async function statesOf(ids: readonly string[], ask: TestUser['ask'] = server.ask): Promise<SiteState[]> {
  return siteStates.output.parse((await ask('GET', `/api/sites/states?ids=${ids.join(',')}`)).json).sites
}
const stateOf = async (site: string) => (await statesOf([site]))[0]
const lockDown = (door: string) => server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'lockdown' } })
const noDoors = {
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

describe('§2 the state of sites', () => {
  test('a site without doors and controllers has none', async () => {
    const { _id } = await make('sites')
    const units = { total: 0, notOnline: 0, outOfSync: 0, tampered: 0 }
    expect(await stateOf(_id)).toEqual({ _id, doors: noDoors, doorIds: {}, units, unitIds: {}, inside: null })
  })

  test('a lockdown is waiting until its controller confirms it, and unknown once that is offline', async () => {
    const site = (await make('sites'))._id
    const { door, unit, serial } = await wiredDoor(server.ask, { site })
    await make('doors', { site, enabled: false })
    await lockDown(door)
    expect(await stateOf(site)).toMatchObject({
      doors: { total: 1, unknown: 1, lockedDown: 0, waiting: 1, disabled: 1 },
      units: { total: 1, notOnline: 1 },
    })
    const virtual = await startUnit(server, { unit, serial })
    await inSync(server, unit)
    await expect
      .poll(() => stateOf(site), { timeout: 60_000 })
      .toMatchObject({
        doors: { total: 1, lockedDown: 1, waiting: 0 },
        units: { total: 1, notOnline: 0, outOfSync: 0 },
      })
    await virtual.stop()
    await expect
      .poll(() => stateOf(site), { timeout: 60_000 })
      .toMatchObject({
        doors: { total: 1, unknown: 1, lockedDown: 0, waiting: 0 },
        units: { notOnline: 1 },
      })
  })

  test('a door that its online controller has reported is not unknown', async () => {
    const site = (await make('sites'))._id
    const { door, unit } = await wiredDoor(server.ask, { site })
    await server.database.asSystem(async (tx) => {
      await tx.run(sql`update unit_state set unit_state_status = 'online' where unit_state_id = ${unit}`)
      await tx.run(sql`update door_state set door_state_state = 'closed' where door_state_id = ${door}`)
    })
    expect(await stateOf(site)).toMatchObject({ doors: { ...noDoors, total: 1 }, units: { total: 1, notOnline: 0 } })
  })

  test('counts doors that their schedules unlock, once their controller is in sync', async () => {
    const site = (await make('sites'))._id
    const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }]
    const always = await makeItem({ ask: server.ask, collection: 'schedules', fields: { windows } })
    const { door, unit } = await wiredDoor(server.ask, { site, unlockSchedule: always._id })
    const set = (change: Sql) =>
      server.database.asSystem((tx) => tx.run(sql`update unit_state set ${change} where unit_state_id = ${unit}`))
    // Out of sync by its versions too: a job clears the mark of others.
    await set(sql`unit_state_status = 'online', unit_state_desired_version = 2, unit_state_out_of_sync_since = now()`)
    await expect.poll(() => stateOf(site)).toMatchObject({ doors: { total: 1, unlocked: 0, waiting: 1 } })
    await set(sql`unit_state_applied_version = unit_state_desired_version, unit_state_out_of_sync_since = null`)
    expect(await stateOf(site)).toMatchObject({ doors: { unlocked: 1, waiting: 0 }, doorIds: { unlocked: [door] } })
    await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'blocked' } })
    expect(await stateOf(site)).toMatchObject({ doors: { unlocked: 0, blocked: 0, waiting: 1 } })
  })

  test('counts doors in alarm, also those whose controller has gone offline', async () => {
    const site = (await make('sites'))._id
    const { door } = await wiredDoor(server.ask, { site })
    await server.database.asSystem((tx) =>
      tx.run(sql`update door_state set door_state_state = 'forced' where door_state_id = ${door}`),
    )
    expect(await stateOf(site)).toMatchObject({ doors: { forced: 1, unknown: 1 } })
  })

  test('counts a controller once, whether at the site or at its doors', async () => {
    const site = (await make('sites'))._id
    const [atSite, ofDoors] = [await make('units', { site }), await make('units')]
    for (const unitDoor of [1, 2]) await make('doors', { site, unit: ofDoors._id, unitDoor })
    await make('doors', { site, unit: atSite._id, unitDoor: 1 })
    await make('units', { site, inService: false })
    expect((await stateOf(site))?.units).toMatchObject({ total: 2, notOnline: 2 })
  })

  test('names the doors and controllers of each figure, unless there are more than 50', async () => {
    const site = (await make('sites'))._id
    const { door, unit } = await wiredDoor(server.ask, { site })
    const off = (await make('doors', { site, enabled: false }))._id
    await server.database.asSystem((tx) =>
      tx.run(sql`update door_state set door_state_state = 'held' where door_state_id = ${door}`),
    )
    expect(await stateOf(site)).toMatchObject({
      doors: { total: 1, held: 1, unknown: 1, disabled: 1 },
      doorIds: { held: [door], unknown: [door], disabled: [off] },
      unitIds: { notOnline: [unit] },
    })
    for (let more = 0; more < 50; more += 1) await make('doors', { site, enabled: false })
    const crowded = await stateOf(site)
    expect([crowded?.doors.disabled, crowded?.doorIds]).toEqual([51, { held: [door], unknown: [door] }])
  })

  test('leaves out sites that are out of scope, and doors of other accounts', async () => {
    const own = (await make('sites'))._id
    const below = (await makeItem({ ask: server.in('branch'), collection: 'sites' }))._id
    const door = await makeItem({ ask: server.in('branch'), collection: 'doors', fields: { site: below } })
    await server.database.asSystem((tx) => tx.run(sql`update door set door_site = ${own} where door_id = ${door._id}`))
    expect((await statesOf([own, below])).map(({ _id, doors }) => [_id, doors.total])).toEqual([[own, 0]])
  })

  test('shows controllers only to users who may view them', async () => {
    const site = (await make('sites'))._id
    await make('units', { site })
    const { ask } = await server.signInAs({ role: 'reportingUser' })
    expect(await statesOf([site], ask)).toEqual([
      { _id: site, doors: noDoors, doorIds: {}, units: null, unitIds: null, inside: null },
    ])
    const none = await server.signInAs({ role: 'appUser' })
    expect((await none.ask('GET', `/api/sites/states?ids=${site}`)).status).toBe(403)
  })

  test('takes at most 100 sites', async () => {
    const { _id } = await make('sites')
    const statusOf = async (count: number) =>
      (await server.ask('GET', `/api/sites/states?ids=${Array.from({ length: count }, () => _id).join(',')}`)).status
    expect([await statusOf(100), await statusOf(101), await statusOf(0)]).toEqual([200, 400, 400])
  })
})
