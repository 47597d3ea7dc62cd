import { setTimeout as delay } from 'node:timers/promises'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { z } from 'zod'
import { compileConfig } from '../apps/server/src/desired/compile-config.ts'
import { credentialNumbersFrom } from '../apps/server/src/numbers/credential-numbers.ts'
import { loadPolicy } from '../apps/server/src/policy/load-policy.ts'
import { applyItems } from '../packages/domain/src/configuration/affected-units.ts'
import { startFilledServer } from './filled-server.ts'
import { median } from './median.ts'

/**
 * Measures the configuration of a controller with many credentials. First compiling alone: the whole, and after a change
 * of one rule. Then one rule change, as a delta and as a whole configuration: the bytes of the configuration frames, the
 * time from the answer until the controller has applied the change, and the processor time of server and controller.
 *   node bench/config-deltas.ts [credentials] [changes]
 */
const [people = 50_000, changes = 5] = process.argv.slice(2).map(Number)

const placeRow = z.object({ unit: z.uuid(), rule: z.uuid() })
const sizeRow = z.object({ body: z.int(), delta: z.int().nullable() })

type Times = { wall: number[]; cpu: number[] }

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, database, secretKey, client, startController } = await startFilledServer({ people, units: 1, stops })
  const { unit, rule } = placeRow.parse((await owner.query('select unit, rule from place')).rows[0])
  await compileAlone()
  const controller = await startController(1, unit)
  // Otherwise two changes could become one, or none.
  while (!(await isInSync())) await delay(50)

  let direction: 'entry' | 'both' = 'both'
  for (const as of ['delta', 'whole'] as const) {
    await owner.query('update unit_state set unit_state_takes_deltas = $1', [as === 'delta'])
    const waits: number[] = []
    const before = process.cpuUsage()
    for (let change = 0; change < changes; change += 1) {
      const version = applied()
      direction = direction === 'both' ? 'entry' : 'both'
      await client.of(rules).patch(rule, { direction })
      const answered = performance.now()
      while (applied() === version) await delay(1)
      waits.push(performance.now() - answered)
    }
    const { rows } = await owner.query(`select unit_config_bytes as body,
      octet_length(unit_config_delta) as delta from unit_config order by unit_config_version desc limit 1`)
    const { body, delta } = sizeRow.parse(rows[0])
    const { user, system } = process.cpuUsage(before)
    const cpuMs = (user + system) / 1_000 / changes
    console.log(
      `as ${as}: ${delta ?? body} bytes, answer to applied p50 ${median(waits).toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time`,
    )
  }

  async function compileAlone() {
    const root = z
      .object({ root: z.int() })
      .parse((await owner.query('select policy_root as root from policy')).rows[0])
    const numbers = credentialNumbersFrom(secretKey)
    const { index } = await loadPolicy((work) => database.asSystem(work), root.root, numbers)
    const secret = Buffer.alloc(32).toString('base64')
    const input = { index, unit, at: Date.now(), secret }
    const changed = index.rules.get(rule)
    if (!changed) throw new Error('The policy does not have the rule.')
    const times = { whole: noTimes(), rule: noTimes() }
    for (let turn = 0; turn < changes; turn += 1) {
      const { pieces } = await compileConfig({ ...input, stored: [] })
      await measure(times.whole, () => compileConfig({ ...input, stored: [] }))
      const direction = turn % 2 === 0 ? 'entry' : 'exit'
      applyItems(index, { list: 'rules', id: rule, items: [{ ...changed, direction }] })
      await measure(times.rule, () => compileConfig({ ...input, stored: pieces }))
    }
    for (const [name, { wall, cpu }] of Object.entries(times)) {
      console.log(
        `compiling (${name}): p50 ${median(wall).toFixed(1)} ms, ${median(cpu).toFixed(1)} ms of processor time`,
      )
    }
  }

  async function isInSync() {
    const { desiredVersion } = await client.of(units).get(unit)
    return applied() > 0 && desiredVersion === applied()
  }

  function applied() {
    return controller.state().running?.appliedVersion ?? 0
  }
}

function noTimes(): Times {
  return { wall: [], cpu: [] }
}

async function measure({ wall, cpu }: Times, work: () => Promise<unknown>) {
  const [began, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  wall.push(performance.now() - began)
  cpu.push((user + system) / 1_000)
}
