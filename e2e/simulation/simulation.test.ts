import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { timeAt, timeZone } from './day-scenes.ts'
import { orderFaults, runFaults } from './invariants.ts'
import { planDay } from './plan-day.ts'
import { planVisits } from './plan-visits.ts'
import { Random } from './random.ts'

const localTime = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

const run = promisify(execFile)
const simulate = join(import.meta.dirname, 'simulate.ts')

test('25 simulated days with faults break no invariant', async () => {
  const { stdout } = await run(process.execPath, [simulate, '--seeds', '25'])
  expect(stdout).toContain('All invariants hold.')
}, 1_800_000)

test.each([
  [['--seeds', 'x'], '--seeds must be a whole number from 1.'],
  [['--seed', '17', '--seeds', '3'], 'Use either --seed, or --seeds and --from.'],
])('npm run simulate with %j shows the error and the usage, and simulates nothing', async (given, sentence) => {
  const [error] = await run(process.execPath, [simulate, ...given]).then(
    () => [],
    (failed: unknown) => [z.object({ code: z.int(), stdout: z.string(), stderr: z.string() }).parse(failed)],
  )
  expect(error).toMatchObject({ code: 2, stdout: '' })
  expect(error?.stderr.split('\n').slice(0, 3)).toEqual([
    sentence,
    '',
    'npm run simulate -- [--seeds COUNT] [--from SEED]',
  ])
})

const sizes = { units: 3, doorsPerUnit: 3, cards: 6, staff: 4, servers: 2 }

test('most cards are presented in the morning, few at night', () => {
  const visits = Array.from({ length: 25 }, (_, seed) => planVisits(sizes, new Random(seed))).flat()
  const share = (from: string, until: string) => {
    const isWithin = (hour: string) => from <= hour && hour < until
    const count = visits.filter(({ at }) => isWithin(localTime.format(timeAt(at)))).length
    return count / visits.length
  }
  expect(share('07:30', '09:00')).toBeGreaterThan(0.5)
  expect(share('12:00', '13:00')).toBeGreaterThan(0.1)
  expect(share('17:00', '18:00')).toBeGreaterThan(0.2)
  expect(share('00:00', '07:00')).toBeLessThan(0.1)
  expect(share('00:00', '07:00')).toBeGreaterThan(0)
})

test('a seed gives the same day each time, and another seed another day', () => {
  const dayOf = (seed: number) => planDay({ sizes, random: new Random(seed) })
  expect(dayOf(17)).toEqual(dayOf(17))
  expect(dayOf(18)).not.toEqual(dayOf(17))
})

const record = (seq: number, changes: { event?: string; mark?: number } = {}) => ({
  seq,
  event: `event ${seq}`,
  mark: 3,
  ...changes,
})

test.each([
  ['nothing where all is well', [record(1), record(2), record(3)], []],
  ['a record stored twice', [record(1), record(2), record(2), record(3)], ['stored twice: record 2']],
  ['a lost record', [record(1), record(3)], ['lost: record 2']],
  ['a wrong order', [record(1, { event: 'event 9' }), record(2), record(3)], ['order: the event of record 2']],
  ['a wrong mark', [record(1), record(2)], ['the acknowledged sequence is 3']],
])('the simulation notices %s', (_, records, expected) => {
  const faults = orderFaults(records)
  expect(faults).toHaveLength(expected.length)
  for (const [index, fault] of faults.entries()) expect(fault).toContain(expected[index])
})

test.each([
  ['nothing where a command runs once and in time', [1_000], []],
  ['nothing where a command is late by less than the error of a clock', [6_200], []],
  ['a command that runs twice', [900, 1_000], ['command a ran 2 times']],
  ['a command that runs late', [6_201], ['command a ran 5201 ms after its end']],
])('the simulation notices %s', (_, times, expected) => {
  expect(runFaults(new Map([['a', times]]), new Map([['a', 1_000]]))).toEqual(expected)
})
