import { z } from 'zod'
import { readCommandLine, valuesOrExit, wholeNumber } from '@portcullis/controllers/command-line'
import { startEngine } from './engine.ts'
import { runDay } from './run-day.ts'

const usage = `npm run simulate -- [--seeds COUNT] [--from SEED]
npm run simulate -- --seed SEED
  Simulates days of 20 busy seconds with faults, and checks what must always hold.
  --seeds  number of days (25)
  --from   seed of the first day (1); each day has the next one
  --seed   simulates only the day of this seed, and reports what happens in it`

const highestSeed = 2 ** 32 - 1
const schema = z
  .object({
    seeds: wholeNumber({ min: 1 }).optional(),
    from: wholeNumber({ min: 0, max: highestSeed }).optional(),
    seed: wholeNumber({ min: 0, max: highestSeed }).optional(),
  })
  .refine(({ seeds, from, seed }) => seed === undefined || (seeds ?? from) === undefined, {
    error: 'Use either --seed, or --seeds and --from.',
  })
const values = valuesOrExit(readCommandLine({ usage, options: schema.shape, schema }))
const first = values.seed ?? values.from ?? 1
const count = values.seed === undefined ? (values.seeds ?? 25) : 1

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
console.log(
  `${days} ${days === 1 ? 'day' : 'days'} in ${seconds.toFixed(1)} s, in sync at most ${longestSyncMs / 1_000} s after the last fault`,
)
const total = (name: string) => totals.get(name) ?? 0
console.log(
  `Cards presented: ${total('presented')} (granted: ${total('granted')}, presented after their access had ended: ${total('ended')})`,
)
console.log(`Changes of rights and modes: ${total('changes')}`)
console.log(`Commands: ${total('commands')} (run: ${total('ran')}). Records: ${total('records')}`)
if (process.exitCode === undefined) console.log('All invariants hold.')
