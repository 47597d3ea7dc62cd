import { setTimeout as delay } from 'node:timers/promises'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { z } from 'zod'
import { startFilledServer } from './filled-server.ts'
import { median } from './median.ts'

/**
 * Measures one rule change of a controller with many credentials, as a delta and as a whole configuration: the bytes of
 * the configuration frames, and the time from the answer until the controller has applied the change.
 *   node bench/config-deltas.ts [credentials] [changes]
 */
const [people = 50_000, changes = 5] = process.argv.slice(2).map(Number)

const placeRow = z.object({ unit: z.uuid(), rule: z.uuid() })
const sizeRow = z.object({ body: z.int(), delta: z.int().nullable() })

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client, startController } = await startFilledServer({ people, units: 1, stops })
  const { unit, rule } = placeRow.parse((await owner.query('select unit, rule from place')).rows[0])
  const controller = await startController(1, unit)
  // Otherwise two changes could become one, or none.
  while (!(await isInSync())) await delay(50)

  let direction: 'entry' | 'both' = 'both'
  for (const as of ['delta', 'whole'] as const) {
    await owner.query('update unit_state set unit_state_takes_deltas = $1', [as === 'delta'])
    const waits: number[] = []
    for (let change = 0; change < changes; change += 1) {
      const version = applied()
      direction = direction === 'both' ? 'entry' : 'both'
      await client.of(rules).patch(rule, { direction })
      const answered = performance.now()
      while (applied() === version) await delay(1)
      waits.push(performance.now() - answered)
    }
    const { rows } = await owner.query(`select octet_length(unit_config_body) as body,
      octet_length(unit_config_delta) as delta from unit_config order by unit_config_version desc limit 1`)
    const { body, delta } = sizeRow.parse(rows[0])
    console.log(`as ${as}: ${delta ?? body} bytes, answer to applied p50 ${median(waits).toFixed(0)} ms`)
  }

  async function isInSync() {
    const { desiredVersion } = await client.of(units).get(unit)
    return applied() > 0 && desiredVersion === applied()
  }

  function applied() {
    return controller.state().running?.appliedVersion ?? 0
  }
}
