import type { DoorMode } from '@portcullis/domain/policy'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { giveUnlock } from '../commands/commands.ts'
import { noteModeApplied } from './door-modes.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'

let world: GatewayWorld
let url: string
let feed: Awaited<ReturnType<GatewayWorld['startServer']>>['feed']
beforeEach(async () => {
  world = await gatewayWorld()
  const server = await world.startServer()
  url = server.url
  feed = server.feed
})
afterEach(() => world.close())

const patient = { timeout: 120_000, interval: 50 }
const wait = (check: () => Promise<void>) => vi.waitFor(check, patient)

/** As the call does: changes the door's row and announces it. */
async function want(mode: DoorMode, { until = null, door = ids.door }: { until?: string | null; door?: string } = {}) {
  await world.changePolicy(
    sql`update door set door_mode = ${mode}, door_mode_until = ${until}, door_mode_version = door_mode_version + 1,
          door_mode_set_at = now() where door_id = ${door}`,
  )
  feed.hint()
}

const stateOfMode = z.object({ sent: z.string().nullable(), applied: z.int(), version: z.int() })

async function modeState(door = ids.door) {
  const [state] = await world.rows(
    stateOfMode,
    sql`select door_state_mode_sent_at as sent, door_state_applied_mode_version as applied, door_mode_version as version
          from door join door_state on door_state_id = door_id where door_id = ${door}`,
  )
  return state
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
type Unit = Awaited<ReturnType<typeof workingUnit>>
const lockAt = (unit: Unit, port: number) => unit.state().running?.doors.find(({ number }) => number === port)?.lock

async function heldUnit() {
  const unit = await workingUnit()
  await want('unlocked', { until: inAnHour() })
  await wait(async () => expect(await modeState()).toMatchObject({ version: 1, applied: 1 }))
  expect(lockAt(unit, 1)).toBe('unlocked')
  return unit
}

async function change(query: Sql) {
  await world.changePolicy(query)
  feed.hint()
}

const another = uuidv7()
const addAnother = (port: number | null) =>
  change(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_enabled,
        door_relock_after_seconds, door_held_open_after_seconds, door_directions)
      values (${another}, ${world.accountKey}, 'Cold room', ${ids.site}, ${ids.unit}, ${port}, true, 5, 30,
        '{"entry":true,"exit":true}')`)
const wire = (door: string, port: number | null) =>
  change(sql`update door set door_unit_door = ${port} where door_id = ${door}`)

/** Locks the other door down, now at the port where the first one was held unlocked. */
async function expectLockdown(unit: Unit) {
  await want('lockdown', { door: another })
  await wait(async () => {
    const { version = -1, applied } = (await modeState(another)) ?? {}
    expect(applied).toBe(version)
  })
  expect(lockAt(unit, 1)).toBe('locked')
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
}

async function workingUnit() {
  const unit = await world.enrolledUnit(url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  return unit
}

test('§3 door modes: a locked down door denies all users with its reason, until it returns to its schedule', async () => {
  const unit = await workingUnit()
  await want('lockdown')
  await wait(async () => expect(await modeState()).toMatchObject({ version: 1, applied: 1 }))
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
  await want('normal')
  await wait(async () => expect(await modeState()).toMatchObject({ version: 2, applied: 2 }))
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'grant', reason: null })
  await wait(async () => {
    const events = await world.events()
    const modes = events.filter(({ type }) => type === 'door.mode_changed').map(({ data }) => data['note'])
    expect(modes).toEqual([
      { code: 'door_mode', mode: 'lockdown' },
      { code: 'door_mode', mode: 'normal' },
    ])
  })
})

test('a lockdown is sent and confirmed while events of its controller wait to be stored', async () => {
  const unit = await workingUnit()
  await unit.present(nomsasCard)
  await wait(async () => expect((await world.events()).map(({ type }) => type)).toContain('access.granted'))
  await world.database.asSystem(async (tx) => {
    await tx.run(sql`select from unit_mark where unit_mark_unit = ${ids.unit} for update`)
    await unit.present(nomsasCard)
    await want('lockdown')
    await vi.waitFor(async () => expect(await modeState()).toMatchObject({ applied: 1 }), { timeout: 60_000 })
  })
})

test('§3 door modes: a door is held unlocked until the end of the mode, and then returns to its schedule by itself', async () => {
  const unit = await workingUnit()
  const locks = () => unit.state().running?.doors.map(({ lock }) => lock)
  await want('unlocked', { until: inAnHour() })
  await wait(async () => expect(await modeState()).toMatchObject({ applied: 1 }))
  expect(locks()).toEqual(['unlocked'])
  await want('unlocked', { until: new Date(Date.now() + 1_000).toISOString() })
  await wait(async () => expect(await modeState()).toMatchObject({ applied: 2 }))
  await wait(async () => expect(locks()).toEqual(['locked']))
})

test('the moment of an end is confirmed however the controller writes it', async () => {
  const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString()
  await want('unlocked', { until })
  const stored = { doorId: ids.door, mode: 'unlocked' as const, until: until.replace('.000Z', 'Z') }
  const report = { unit: ids.unit, door: 1, version: 1, stored, mayRaise: () => true }
  expect(await noteModeApplied(world.database, report)).toBe('noted')
  expect(await modeState()).toMatchObject({ version: 1, applied: 1 })
})

test('another mode is replaced by a higher version of the desired one, as often as it is permitted', async () => {
  await want('lockdown')
  const stored = { doorId: ids.door, mode: 'unlocked' as const, until: null }
  const report = (version: number, mayRaise: boolean) =>
    noteModeApplied(world.database, { unit: ids.unit, door: 1, version, stored, mayRaise: () => mayRaise })
  expect(await report(1, true)).toBe('raised')
  expect(await report(2, false)).toBe('noted')
  expect(await modeState()).toMatchObject({ version: 2, applied: 0 })
})

test('a lockdown is not confirmed by a controller that lets other users pass, and gets a higher version', async () => {
  await want('lockdown')
  const report = (version: number, mayPass?: string[][]) => {
    const stored = { doorId: ids.door, mode: 'lockdown' as const, until: null, ...(mayPass && { mayPass }) }
    return noteModeApplied(world.database, { unit: ids.unit, door: 1, version, stored, mayRaise: () => true })
  }
  expect(await report(1, [[another]])).toBe('raised')
  expect(await modeState()).toMatchObject({ version: 2, applied: 0 })
  expect(await report(2)).toBe('noted')
  expect(await modeState()).toMatchObject({ version: 2, applied: 2 })

  const lockdown = { _id: uuidv7(), name: 'Intruder', mayPass: [another] }
  await change(sql`update door set door_lockdowns = ${JSON.stringify([lockdown])}, door_mode_version = 3`)
  expect(await report(3, [[ids.nomsa]])).toBe('raised')
  expect(await modeState()).toMatchObject({ version: 4, applied: 2 })
  expect(await report(4, [[another]])).toBe('noted')
  expect(await modeState()).toMatchObject({ version: 4, applied: 4 })
})

test('§3 door modes: a mode set while the controller is offline reaches it on return and survives a power cut', async () => {
  const unit = await workingUnit()
  await unit.stop()
  await want('blocked')
  expect(await modeState()).toMatchObject({ version: 1, applied: 0, sent: null })
  await unit.start()
  await wait(async () => expect(await modeState()).toMatchObject({ version: 1, applied: 1 }))
  await unit.stop()
  await unit.start()
  expect(await unit.present(nomsasCard)).toEqual({ verdict: 'deny', reason: 'door_blocked' })
})

test.each(['online', 'offline'])(
  'a door on the port of a deleted door that was held unlocked is locked: %s',
  async (state) => {
    const unit = await heldUnit()
    if (state === 'offline') await unit.stop()
    await change(sql`delete from door where door_id = ${ids.door}`)
    await addAnother(1)
    if (state === 'offline') await unit.start()
    await wait(async () => expect(lockAt(unit, 1)).toBe('locked'))
    await expectLockdown(unit)
  },
)

test.each(['online', 'offline'])(
  'a hold follows its door to another port and leaves the door that takes its place: %s',
  async (state) => {
    const unit = await heldUnit()
    if (state === 'offline') await unit.stop()
    await addAnother(2)
    await wire(another, null)
    await wire(ids.door, 2)
    await wire(another, 1)
    if (state === 'offline') await unit.start()
    await wait(async () => expect([1, 2].map((port) => lockAt(unit, port))).toEqual(['locked', 'unlocked']))
    await wait(async () => expect(await modeState()).toMatchObject({ version: 2, applied: 2 }))
    await expectLockdown(unit)
  },
)

test('a port that a door held unlocked has left is locked', async () => {
  const unit = await heldUnit()
  await wire(ids.door, null)
  await wait(async () => expect(lockAt(unit, 1)).toBe('locked'))
})

test.each([
  { restored: 'before the first mode', version: 0 },
  { restored: 'to another mode of the same version', version: 1 },
])('a controller follows a database that was restored $restored', async ({ version }) => {
  const unit = await heldUnit()
  await unit.stop()
  await change(sql`update door set door_mode = 'normal', door_mode_until = null, door_mode_version = ${version}`)
  await world.run(sql`update door_state set door_state_applied_mode_version = 0`)
  await unit.start()
  await wait(async () => expect(lockAt(unit, 1)).toBe('locked'))
  await wait(async () => expect(await modeState()).toMatchObject({ version: 2, applied: 2 }))
})

test('a command does not open the door that has taken the port of its own', async () => {
  const unit = await workingUnit()
  await unit.stop()
  await addAnother(null)
  const unlock = { account: world.accountKey, door: ids.door, unit: ids.unit, unitDoor: 1, requestedBy: ids.nomsa }
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  await world.database.asSystem((tx) => giveUnlock(tx, { ...unlock, expiresAt }))
  await wire(ids.door, 2)
  await wire(another, 1)
  await unit.start()
  await wait(async () => {
    const [command] = await world.rows(
      z.object({ status: z.string(), detail: z.string().nullable() }),
      sql`select unit_command_status as status, unit_command_detail as detail from unit_command`,
    )
    expect(command).toEqual({ status: 'not_delivered', detail: 'door_rewired' })
  })
})
