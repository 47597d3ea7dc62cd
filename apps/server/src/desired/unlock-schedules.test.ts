import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type GatewayWorld, gatewayWorld, ids } from '../gateway/test-world.ts'

let world: GatewayWorld
let server: Awaited<ReturnType<GatewayWorld['startServer']>>
beforeEach(async () => {
  world = await gatewayWorld()
  server = await world.startServer()
})
afterEach(() => world.close())

const wait = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 })
type Unit = Awaited<ReturnType<GatewayWorld['enrolledUnit']>>
const lockOf = (unit: Unit) => unit.state().running?.doors.find(({ number }) => number === 1)?.lock
const expectLock = (unit: Unit, lock: string) => wait(async () => expect(lockOf(unit)).toBe(lock))

/** The door stands unlocked each day from 08:00 to 18:00 in London. */
async function openDaily() {
  const schedule = uuidv7()
  const windows = JSON.stringify([{ days: [1, 2, 3, 4, 5, 6, 7], start: '08:00', end: '18:00' }])
  const holidayHours = JSON.stringify({ public: 'closed', company: 'closed', special: 'closed' })
  await world.changePolicy(
    sql`insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
          values (${schedule}, ${world.accountKey}, 'Shop hours', ${windows}, ${holidayHours})`,
  )
  await world.changePolicy(sql`update door set door_unlock_schedule = ${schedule} where door_id = ${ids.door}`)
  server.feed.hint()
}

/** Without a connection, and with its clock at a time of next January, from power on. */
async function startAlone(unit: Unit, time: string) {
  const day = `${new Date().getUTCFullYear() + 1}-01-15`
  await unit.setFaults({ offline: true, clockOffsetMs: Date.parse(`${day}T${time}Z`) - Date.now() })
  await unit.powerCut()
}

test('a door unlocks and locks by its schedule while its controller is offline', async () => {
  const unit = await world.enrolledUnit(server.url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  await openDaily()
  await wait(async () => expect(unit.state().running?.appliedVersion).toBeGreaterThan(1))
  await startAlone(unit, '07:00:00')
  expect(lockOf(unit) ?? 'locked').toBe('locked')
  await startAlone(unit, '07:59:58')
  await expectLock(unit, 'unlocked')
  await startAlone(unit, '17:59:58')
  await expectLock(unit, 'locked')
})
