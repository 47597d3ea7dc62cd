import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { killTestVerdict } from '../scripts/kill-test-verdict.ts'
import { killTestWorld } from '../scripts/kill-test-world.ts'
import { quantile } from './median.ts'

/**
 * Measures how long a server needs for the events that a controller has recorded during an outage, and how long live events
 * take meanwhile (decision 0130). All events must be stored once and in order.
 *   node bench/backlog.ts [events]
 */
const count = Number(process.argv[2] ?? 100_000)
/** Calls that present cards at the same time. */
const callers = 50
const liveEveryMs = 250
/** A backlog of this size is one frame. */
const frameRecords = 500

const times = z.object({
  isLive: z.boolean(),
  delayMs: z.number(),
  receivedMs: z.number(),
})

const world = await killTestWorld()
try {
  await run()
} finally {
  await world.stop()
  await world.remove()
}

async function run() {
  await world.startServer()
  await world.startControllers()
  const [serial = ''] = await world.furnish(1)
  const control = await world.control()
  const present = (number: string) => control.present(serial, { door: 1, number })
  const pending = async () => (await control.get(serial)).running?.pendingEvents ?? 0
  while (!(await control.get(serial)).running?.isOnline) await delay(50)

  await control.setFaults(serial, { offline: true })
  let presented = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (presented++ < count) await present(`outage ${presented}`)
    }),
  )
  await control.setFaults(serial, { offline: false })
  while (!(await control.get(serial)).running?.isOnline) await delay(5)
  const onlineMs = Date.now()
  let live = 0
  for (; (await pending()) > frameRecords; await delay(liveEveryMs)) await present(`live ${++live}`)
  while ((await pending()) > 0) await delay(50)

  const verdict = await killTestVerdict({ logins: await world.logins(), journal: world.journal })
  if (verdict.violations.length > 0) throw new Error(verdict.violations.slice(0, 20).join('\n'))
  const stored = await storedTimes()
  const delays = stored.filter(({ isLive }) => isLive).map(({ delayMs }) => delayMs)
  const lastMs = stored.reduce((latest, { receivedMs }) => Math.max(latest, receivedMs), 0)
  console.log(`${count} events of an outage, each stored once and in order:`)
  console.log(`  all after ${((lastMs - onlineMs) / 1_000).toFixed(1)} s of connection`)
  console.log(
    `  ${live} live events meanwhile: p50 ${quantile(delays, 0.5).toFixed(0)} ms, slowest ${Math.max(...delays).toFixed(0)} ms`,
  )
}

/** From the door to the server, of the cards that were presented after the outage began. */
async function storedTimes() {
  const { system } = await world.logins()
  const client = new pg.Client(system)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select event_data->>'number' like 'live %' as "isLive",
              (extract(epoch from event_received_at - event_occurred_at) * 1000)::float as "delayMs",
              (extract(epoch from event_received_at) * 1000)::float as "receivedMs"
         from event where event_data->>'number' ~ '^(live|outage) '`,
    )
    return times.array().parse(rows)
  } finally {
    await client.end()
  }
}
