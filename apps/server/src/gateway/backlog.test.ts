import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type GatewayWorld, gatewayWorld, nomsasCard } from './test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const wait = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 })
type Unit = Awaited<ReturnType<GatewayWorld['enrolledUnit']>>

/** Cards that are presented while the unit has no connection, all of them unknown. */
async function presentOffline(unit: Unit, count: number) {
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  await unit.setFaults({ offline: true })
  await Promise.all(Array.from({ length: count }, (_, at) => unit.present({ ...nomsasCard, number: `unknown ${at}` })))
}

async function delivered(unit: Unit) {
  await wait(async () => expect(unit.state().running).toMatchObject({ isOnline: true, pendingEvents: 0 }))
  return (await world.events()).filter(({ log }) => log !== null)
}

test('an event after an outage passes 8,000 events of the outage, and all are stored once and in order', async () => {
  const unit = await world.enrolledUnit(url)
  await presentOffline(unit, 8_000)
  await unit.setFaults({ offline: false })
  await vi.waitUntil(() => unit.state().running?.isOnline, { timeout: 120_000, interval: 1 })
  await unit.present({ ...nomsasCard, number: 'live' })
  const stored = await delivered(unit)
  expect(stored.filter(({ type }) => type === 'access.denied')).toHaveLength(8_001)
  const logs = Map.groupBy(stored, ({ log }) => log)
  for (const events of logs.values())
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: events.length }, (_, at) => at + 1))
  const live = stored.find(({ data }) => data['number'] === 'live')
  const received = stored.map(({ receivedAt }) => receivedAt).toSorted()
  expect(live?.log).not.toBe(stored.find(({ data }) => data['number'] === 'unknown 7999')?.log)
  expect(received.filter((at) => at > (live?.receivedAt ?? '')).length).toBeGreaterThan(1_000)
})

test('a unit whose memory was full reports the lost events as an event, and its other events are stored once', async () => {
  const unit = await world.enrolledUnit(url, { faults: { maxEvents: 80 } })
  await presentOffline(unit, 100)
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 100 }, () => unit.present({ ...nomsasCard, number: `unknown ${round}` })))
  await unit.setFaults({ offline: false })
  const stored = await delivered(unit)
  const gap = stored.find(({ type }) => type === 'unit.log_gap')
  expect(gap?.data['detail']).toMatch(/^Lost \d+ records: the log was full\.$/)
  const after = stored.filter(({ seq }) => (seq ?? 0) >= (gap?.seq ?? 0)).map(({ seq }) => seq)
  expect(after.length).toBeGreaterThan(50)
  expect(after).toEqual(Array.from({ length: after.length }, (_, at) => (gap?.seq ?? 0) + at))
  expect((await world.events()).filter(({ type }) => type === 'unit.log_gap')).toHaveLength(1)
})

test('lost messages lose no event, and damaged records are stored as unreadable ones', async () => {
  let drawn = 0
  const eachTenth = { random: () => (++drawn % 10) / 10 }
  const unit = await world.enrolledUnit(url, eachTenth)
  await wait(async () => expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 }))
  const connections = unit.state().running?.connections ?? 0
  await unit.setFaults({ lossPercent: 10 })
  for (let count = 0; count < 12; count++) {
    await unit.present({ ...nomsasCard, number: `unknown ${count}` })
    if (count % 4 === 3) await vi.waitUntil(() => unit.state().running?.pendingEvents === 0, { timeout: 120_000 })
  }
  expect(unit.state().running?.connections).toBeGreaterThan(connections + 1)
  await unit.setFaults({ unreadable: true })
  await unit.present({ ...nomsasCard, number: 'damaged' })
  await unit.setFaults({ unreadable: false, lossPercent: 0 })
  const stored = await delivered(unit)
  const numbers = stored.map(({ seq }) => seq)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1))
  const ofTypes = Map.groupBy(stored, ({ type }) => type)
  expect(ofTypes.get('access.denied')).toHaveLength(12)
  expect(ofTypes.get('unit.unreadable_record')).toHaveLength(1)
})
