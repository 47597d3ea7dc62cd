import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compareRecords, type StoredRecord } from './kill-test-verdict.ts'
import { testEnvironment } from './test-environment.ts'

const run = promisify(execFile)
const log = '01890000-0000-7000-8000-00000000000a'

test('nothing is lost or doubled when server, database and units are killed while events flow', async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'kill-test.ts'), '--rounds', '3'], {
    env: testEnvironment(),
  })
  expect(stdout).toContain('No event was lost or stored twice, and the events of each unit are in order.')
}, 600_000)

test('60 controllers connect again exactly once after each kill of their server and are in sync, and no event is lost', async () => {
  const given = ['--rounds', '2', '--units', '60', '--victim', 'server']
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'kill-test.ts'), ...given], {
    env: testEnvironment(),
  })
  expect(stdout.match(/server +killed, .* all controllers in sync/g)).toHaveLength(2)
  expect(stdout).toContain('All 60 controllers are connected and in sync.')
  expect(stdout).toContain('No event was lost or stored twice, and the events of each unit are in order.')
}, 600_000)

const record = (seq: number, changes: Partial<StoredRecord> = {}): StoredRecord => ({
  unit: 'unit',
  log,
  seq,
  event: `event ${seq}`,
  occurredAt: `2026-03-01T09:00:0${seq}.000Z`,
  mark: 3,
  ...changes,
})
const journal = `durable K-1 ${log} 1\ndurable K-1 ${log} 2\ndurable K-1 ${log} 3\nacknowledged K-1 ${log} 3\n`

test.each([
  ['nothing where all is well', [record(1), record(2), record(3)], []],
  ['a lost record', [record(1, { mark: 2 }), record(2, { mark: 2 })], ['but not stored', 'but not stored']],
  ['a record stored twice', [record(1), record(1), record(2), record(3)], ['stored twice', 'does not follow']],
  ['a record missing in between', [record(1), record(3)], ['but not stored', 'but not stored', 'does not follow']],
  ['a wrong order', [record(1, { event: 'event 9' }), record(2), record(3)], ['does not follow']],
  ['a wrong mark', [record(1), record(2), record(3, { mark: 2 })], ['the acknowledged sequence is 2']],
])('the kill test notices %s', (_, stored, expected) => {
  const { violations } = compareRecords({ stored, journal })
  expect(violations.map((violation, index) => violation.includes(expected[index] ?? 'nothing'))).toEqual(
    expected.map(() => true),
  )
})
