import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ControlClient } from '../packages/controllers/src/control-client.ts'
import { killTestVerdict } from './kill-test-verdict.ts'
import { type KillTestWorld, killTestWorld, validNumber } from './kill-test-world.ts'

/**
 * Kills the server, the database and the virtual units with -9 at random moments while cards are presented. Then it
 * compares the events that the units wrote with the stored ones.
 *   npm run kill-test -- [--rounds 20] [--units 6] [--per-second 30] [--victim server] [--seed N]
 * With a victim, only this one is killed, each time after all controllers are connected and in sync.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    units: { type: 'string', default: '6' },
    'per-second': { type: 'string', default: '30' },
    victim: { type: 'string' },
    seed: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const randomCard = randomFrom(seed + 1)
const allVictims = ['server', 'database', 'controllers', 'everything'] as const
const victims = allVictims.filter((name) => values.victim === undefined || name === values.victim)
if (victims.length === 0) throw new Error(`--victim must be one of ${allVictims.join(', ')}.`)
/** More controllers need longer to connect and to send what they have recorded. */
const drainMs = 120_000 + Number(values.units) * 200

console.log(`Kill test: ${rounds} rounds, seed ${seed}`)
const world = await killTestWorld()
let traffic: ReturnType<typeof presentCards> | undefined
try {
  await world.startServer()
  await world.startControllers()
  const serials = await world.furnish(Number(values.units))
  await untilSettled()
  traffic = presentCards(world, serials)
  for (let round = 1; round <= rounds; round++) await killOnce(round)
  await delay(1_000)
  const presented = await traffic.stop()
  await untilDrained(await world.control())
  await untilSettled()
  const verdict = await killTestVerdict({ logins: await world.logins(), journal: world.journal })
  console.log(`\n${'cards presented'.padEnd(40)} ${presented}`)
  for (const [name, count] of Object.entries(verdict.counts)) console.log(`${name.padEnd(40)} ${count}`)
  await world.stop()
  for (const violation of verdict.violations.slice(0, 20)) console.log(`VIOLATION ${violation}`)
  if (verdict.violations.length > 0)
    throw new Error(`${verdict.violations.length} violations. Repeat the run with --seed ${seed}.`)
  await world.remove()
  console.log(`\nAll ${serials.length} controllers are connected and in sync.`)
  console.log('No event was lost or stored twice, and the events of each unit are in order.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`The data of this run is in ${world.dataDir}. Delete it when you no longer need it.`)
  await world.stop()
  // It would keep the process running.
  await traffic?.stop()
  process.exitCode = 1
}

async function killOnce(round: number) {
  await delay(random() * 2_500)
  const victim = victims[Math.floor(random() * victims.length)] ?? 'everything'
  const since = performance.now()
  const before = await connections()
  const isVictim = (name: string) => victim === name || victim === 'everything'
  await Promise.all([
    isVictim('server') ? world.killServer() : undefined,
    isVictim('database') ? world.killDatabase() : undefined,
    isVictim('controllers') ? world.killControllers() : undefined,
  ])
  await delay(random() * 1_000)
  if (isVictim('server')) await world.startServer()
  if (isVictim('controllers')) await world.startControllers()
  const seconds = () => ((performance.now() - since) / 1_000).toFixed(1)
  const restarted = `${String(round).padStart(3)} ${victim.padEnd(12)} killed, restarted after ${seconds()} s`
  if (values.victim === undefined) return console.log(restarted)
  await untilSettled()
  if (victim === 'server') expectOneMore(before, await connections())
  console.log(`${restarted}, all controllers in sync after ${seconds()} s`)
}

/** Presents cards at all units, including stopped ones, where the cards are lost at the door. */
function presentCards({ control }: KillTestWorld, serials: string[]) {
  const everyMs = (1_000 * serials.length) / Number(values['per-second'])
  let isStopped = false
  const people = serials.map(async (serial, index) => {
    await delay((everyMs * index) / serials.length)
    let presented = 0
    while (!isStopped) {
      const number = randomCard() < 0.7 ? validNumber : String(Math.floor(randomCard() * 1_000_000))
      await control()
        .then((client) => client.present(serial, { door: 1, number }))
        .then(() => presented++)
        .catch(() => delay(50))
      await delay(everyMs)
    }
    return presented
  })
  return {
    async stop() {
      isStopped = true
      return (await Promise.all(people)).reduce((sum, presented) => sum + presented, 0)
    },
  }
}

async function untilDrained(control: ControlClient) {
  const deadline = performance.now() + drainMs
  // The last opened doors still have to close.
  await delay(5_000)
  for (;;) {
    const states = await control.list()
    const pending = states.reduce((sum, { running }) => sum + (running?.pendingEvents ?? 0), 0)
    if (pending === 0) return
    if (performance.now() > deadline)
      throw new Error(`${pending} records were not acknowledged within ${drainMs / 1_000} s: ${JSON.stringify(states)}`)
    await delay(200)
  }
}

/** How many connections of each controller the servers have welcomed. */
async function connections() {
  if (values.victim === undefined) return new Map<string, number>()
  const states = await (await world.control()).list()
  return new Map(states.map(({ serial, running }) => [serial, running?.connections ?? 0]))
}

function expectOneMore(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const others = [...after].filter(([serial, count]) => count !== (before.get(serial) ?? 0) + 1)
  if (others.length > 0)
    throw new Error(`${others.length} controllers did not connect exactly once, such as ${others[0]?.[0]}.`)
}

/** A server that was killed has left its controllers online in the database, so they are asked too. */
async function untilSettled() {
  const deadline = performance.now() + drainMs
  const unsettled = world.unsettledCounter()
  for (;;) {
    const states = await (await world.control()).list()
    const offline = states.filter(({ running }) => !running?.isOnline).length
    const count = offline || (await unsettled())
    if (count === 0) return
    if (performance.now() > deadline)
      throw new Error(`${count} controllers were not in sync within ${drainMs / 1_000} s.`)
    await delay(200)
  }
}

/** Mulberry32: the same seed gives the same rounds. */
function randomFrom(start: number) {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
