import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { printTable } from './print-table.ts'
import { runBench } from './run-bench.ts'

/**
 * Measures the generic calls, a bare Node server and PostgreSQL alone, in one run:
 *   npm run bench -- [--events 2000000] [--accounts 200] [--sockets 200] [--connections 16] [--rounds 5] [--seconds 2]
 *     [--data FOLDER]   keeps the world there for the next run
 *     [--only WORD]     measures what has the word in its name
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000000' },
    accounts: { type: 'string', default: '200' },
    sockets: { type: 'string', default: '200' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const count = z.coerce.number().int().min(1)
const { data: dataDir, only } = values
const sizes = z
  .object({
    events: count.min(1_000),
    accounts: count.min(60),
    sockets: count,
    connections: count,
    rounds: count,
    seconds: z.coerce.number().positive(),
  })
  .parse(values)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const before = load()
const rows = await runBench({ ...sizes, dataDir, only, report: (sentence) => console.error(sentence) })
console.log(`\n${sizes.events} events, ${sizes.accounts} accounts, ${sizes.connections} connections;`)
console.log(`the median of ${sizes.rounds} rounds of ${sizes.seconds} s each, product and bare server in turn.`)
console.log(`Other running programs, on average: ${before} before, ${load()} in the last minute.\n`)
printTable(rows, (line) => console.log(line))

function load() {
  return (loadavg()[0] ?? 0).toFixed(1)
}
