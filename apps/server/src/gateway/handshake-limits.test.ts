import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnitRefused } from '../ingest/refusal.ts'
import { HandshakeLimits } from './handshake-limits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function refusedOften(refusal: { network: string; serial: string | undefined }) {
  const limits = new HandshakeLimits()
  for (let attempt = 0; attempt < 60; attempt++) limits.refused(refusal)
  return limits
}

test('a network that is refused 60 times in a minute may not enrol until the minute is over, others may', () => {
  const limits = refusedOften({ network: '10.0.0.1', serial: undefined })
  expect(limits.mayEnrol({ network: '10.0.0.1', serial: 'PC-1' })).toBe(false)
  expect(limits.mayEnrol({ network: '10.0.0.2', serial: 'PC-1' })).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(limits.mayEnrol({ network: '10.0.0.1', serial: 'PC-1' })).toBe(true)
})

test('a serial number that is refused 60 times in a minute may not enrol from any network', () => {
  const limits = new HandshakeLimits()
  for (let attempt = 0; attempt < 60; attempt++) limits.refused({ network: `10.0.1.${attempt}`, serial: 'PC-1' })
  expect(limits.mayEnrol({ network: '10.0.0.2', serial: 'PC-1' })).toBe(false)
  expect(limits.mayEnrol({ network: '10.0.0.2', serial: 'PC-2' })).toBe(true)
})

test('one network cannot prevent the enrolment of a serial number from another one', () => {
  const limits = refusedOften({ network: '10.0.0.1', serial: 'PC-1' })
  expect(limits.mayEnrol({ network: '10.0.0.1', serial: 'PC-1' })).toBe(false)
  expect(limits.mayEnrol({ network: '10.0.0.2', serial: 'PC-1' })).toBe(true)
})

test('signatures of a network with many refusals are checked one after the other, and none is refused', async () => {
  const limits = refusedOften({ network: '10.0.0.1', serial: undefined })
  let running = 0
  let most = 0
  const check = async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return 'checked'
  }
  const all = await Promise.all(Array.from({ length: 1_000 }, () => limits.check('10.0.0.1', check, () => true)))
  expect([new Set(all), most]).toEqual([new Set(['checked']), 1])
})

test('the signature of a client that has left is not checked, and the next one has its turn', async () => {
  const limits = refusedOften({ network: '10.0.0.1', serial: undefined })
  const checked: string[] = []
  const check = (unit: string) => async () => checked.push(unit)
  const left = limits.check('10.0.0.1', check('left'), () => false)
  const stays = limits.check('10.0.0.1', check('stays'), () => true)
  await expect(left).rejects.toBeInstanceOf(UnitRefused)
  await stays
  expect(checked).toEqual(['stays'])
})

test('a site of 200 units may come back at once; one more ends the oldest that has not proved its identity', () => {
  const limits = new HandshakeLimits()
  const ended: number[] = []
  const finish = Array.from({ length: 200 }, (_, unit) => limits.begin('10.0.0.1', () => ended.push(unit)))
  expect(ended).toEqual([])
  finish[0]?.()
  limits.begin('10.0.0.1', () => {})
  limits.begin('10.0.0.2', () => {})
  expect(ended).toEqual([])
  limits.begin('10.0.0.1', () => {})
  expect(ended).toEqual([1])
})

test('attempts under 20,000 serial numbers keep at most 10,000 counts, the latest ones', () => {
  const limits = new HandshakeLimits()
  for (let serial = 0; serial < 20_000; serial++) {
    limits.refused({ network: `10.1.${serial >> 8}.${serial & 255}`, serial: `PC-${serial}` })
  }
  for (let attempt = 0; attempt < 60; attempt++) limits.refused({ network: '10.0.0.2', serial: 'PC-1' })
  expect(limits.mayEnrol({ network: '10.0.0.2', serial: 'PC-9' })).toBe(false)
})

test('a unit may arrive 5 times in succession, then once every 2 seconds, and others do not wait', async () => {
  const limits = new HandshakeLimits()
  for (let time = 0; time < 5; time++) await limits.arrive('a')
  const arrived = vi.fn<() => void>()
  const sixth = limits.arrive('a').then(arrived)
  await limits.arrive('b')
  await vi.advanceTimersByTimeAsync(1_900)
  expect(arrived).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(arrived).toHaveBeenCalled()
  await sixth
})

test('a unit that arrives again while it waits ends its earlier wait, and a server that closes ends all', async () => {
  const limits = new HandshakeLimits()
  for (let time = 0; time < 5; time++) await limits.arrive('a')
  const [earlier, later] = [limits.arrive('a'), limits.arrive('a')].map((arrival) =>
    arrival.then(
      () => 'arrived',
      (error: unknown) => (error instanceof UnitRefused ? error.code : error),
    ),
  )
  expect(await earlier).toBe('too_many_connections')
  limits.close()
  expect(await later).toBe('too_many_connections')
})
