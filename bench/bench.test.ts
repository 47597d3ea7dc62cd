import { expect, test } from 'vitest'
import { printTable } from './print-table.ts'
import { runBench } from './run-bench.ts'

test('the bench measures every line of its table, in a small world', { timeout: 600_000 }, async () => {
  const rows = await runBench({
    events: 2_000,
    accounts: 60,
    sockets: 5,
    connections: 2,
    rounds: 1,
    seconds: 0.1,
    report: () => {},
  })
  expect(rows.map(({ name }) => name)).toEqual([
    'list of 50',
    'filtered list (door, type)',
    'list with exact total',
    'tree read, 25 accounts',
    'tree read, 60 accounts',
    'get',
    'create, with history',
    'create, in 8 account trees',
    'patch, with history',
    'export of 100 rows, csv',
    '  memory above idle',
    'export of 100 rows, json',
    '  memory above idle',
    'export of 100 rows, xlsx',
    '  memory above idle',
    'save to 5 sockets, p50',
    'save to 5 sockets, p99',
  ])
  for (const { name, product } of rows) expect(product, name).toMatch(/^\d+(\.\d+)?(\/s| s| MB| ms)$/)

  const lines: string[] = []
  printTable(rows, (line) => lines.push(line))
  expect(lines).toHaveLength(rows.length + 1)
  expect(lines[0]).toMatch(/product +bare Node +ratio +SQL alone +ratio +target/)
})
