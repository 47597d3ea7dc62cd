import { setTimeout as delay } from 'node:timers/promises'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { z } from 'zod'
import { startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'

/**
 * Measures a lockdown of every door of an estate whose controllers are all connected, and its end. *Commanded* is the time
 * until the call has answered, with the desired mode of every door stored. *Confirmed* is the time from the press until the
 * server has stored that the controller of a door applies the mode.
 * Server, controllers and client share one process. Its processor time depends less on other work of the machine.
 *   node bench/lockdown.ts [users] [controllers]
 */
const [people = 1_000, controllers = 700] = process.argv.slice(2).map(Number)
const goals = { commandedMs: 1_000, confirmedMs: 3_000 } as const

const placeRow = z.object({ unit: z.uuid(), site: z.uuid() })
const openRow = z.object({ waiting: z.coerce.number(), total: z.coerce.number() })

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client, startController } = await startFilledServer({ people, units: controllers, stops })
  const places = z.array(placeRow).parse((await owner.query('select unit, site from place order by n')).rows)
  const fleet: VirtualUnit[] = []
  for (const [at, { unit }] of places.entries()) {
    fleet.push(await startController(at + 1, unit))
    // All of them at once would wait for each other.
    while (fleet.filter(isWithoutConfiguration).length > 10) await delay(20)
  }
  while (fleet.some(isWithoutConfiguration)) await delay(100)

  const plan = await client.of(lockdownPlans).create({
    name: 'Everything',
    places: places.map(({ site }) => ({ kind: 'Site' as const, id: site })),
  })
  const started = await measure(() => client.startLockdown(plan._id), 'lockdown')
  report('lockdown', started)
  const [lockdown] = await client.activeLockdowns()
  if (!lockdown) throw new Error('There is no lockdown.')
  report('its end', await measure(() => client.endLockdown(lockdown._id), 'normal'))

  async function measure(change: () => Promise<unknown>, mode: 'lockdown' | 'normal') {
    const pressed = performance.now()
    const usageBefore = process.cpuUsage()
    let commandedMs: number | undefined
    const command = async () => {
      await change()
      commandedMs = performance.now() - pressed
    }
    const changing = command()
    const confirmed: number[] = []
    let total = 0
    while (commandedMs === undefined || confirmed.length < total || total === 0) {
      await delay(20)
      const row = openRow.parse((await owner.query(statesOf(mode))).rows[0])
      total = row.total
      while (confirmed.length < total - row.waiting) confirmed.push(performance.now() - pressed)
    }
    await changing
    const { user, system } = process.cpuUsage(usageBefore)
    return { commandedMs, confirmed, processorMs: (user + system) / 1_000 }
  }
}

function isWithoutConfiguration(controller: VirtualUnit) {
  return typeof controller.state().running?.appliedVersion !== 'number'
}

function statesOf(mode: string) {
  return {
    text: `select count(*) filter (where door_mode <> $1 or door_mode_version <> door_state_applied_mode_version) as waiting,
             count(*) as total
            from door join door_state on door_state_id = door_id where door_unit is not null`,
    values: [mode],
  }
}

type Measured = { commandedMs: number; confirmed: readonly number[]; processorMs: number }

function report(name: string, { commandedMs, confirmed, processorMs }: Measured) {
  const { length } = confirmed
  console.log(`${name} of ${length} doors on ${controllers} controllers:`)
  console.log(`  commanded ${line([commandedMs], goals.commandedMs)}`)
  console.log(`  confirmed, by door, ${line(confirmed, goals.confirmedMs)}`)
  console.log(`  processor time of server and controllers until then: ${processorMs.toFixed(0)} ms`)
}

function line(times: readonly number[], goalMs: number) {
  const p99 = quantile(times, 0.99)
  const verdict = p99 <= goalMs ? 'met' : 'MISSED'
  return `p50 ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (goal ${goalMs}) ${verdict}`
}
