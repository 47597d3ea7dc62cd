import { parseArgs } from 'node:util'
import { startEngine } from './engine.ts'
import { runDay } from './run-day.ts'

/**
 * Simulates days with faults, and checks what must always hold.
 *   npm run simulate -- [--seeds 25] [--from 1] [--seed 17]
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '25' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1

// Otherwise the engine would run on.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

const engine = await startEngine()
const begun = process.hrtime.bigint()
let longestSyncMs = 0
let days = 0
process.on('uncaughtExceptionMonitor', () => console.error(`In the day of seed ${first + days}:`))
const totals = new Map<string, number>()
try {
  for (; days < count; days++) {
    const seed = first + days
    const lines: string[] = []
    const report = (line: string) => (values.seed === undefined ? lines.push(line) : console.log(line))
    const { faults, syncedAfterMs, counts } = await runDay(engine, { seed, report })
    for (const [name, value] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + value)
    longestSyncMs = Math.max(longestSyncMs, syncedAfterMs ?? 0)
    if (faults.length === 0) continue
    // To the error output, which the test shows.
    console.error([...lines, `Seed ${seed} breaks an invariant: ${faults[0]}`].join('\n'))
    console.error(`Repeat it with: npm run simulate -- --seed ${seed}`)
    process.exitCode = 1
    break
  }
} finally {
  await engine.stop()
}
const seconds = Number(process.hrtime.bigint() - begun) / 1e9
console.log(`${days} days in ${seconds.toFixed(1)} s, in sync at most ${longestSyncMs / 1_000} s after the last fault`)
console.log([...totals].map(([name, value]) => `${name} ${value}`).join(', '))
if (process.exitCode === undefined) console.log('All invariants hold.')
