import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { credentials } from '@portcullis/contract/collections/credentials'
import { rules } from '@portcullis/contract/collections/rules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import pg from 'pg'
import { z } from 'zod'
import { credentialNumbersFrom } from '../apps/server/src/numbers/credential-numbers.ts'
import { loadPolicy } from '../apps/server/src/policy/load-policy.ts'
import { compiled, startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'

/**
 * Measures changes of a large policy: rules, cards, users and members of groups change ten times a second. Each time runs
 * from the answer, after the commit, until the controller has applied the new configuration. Server, controllers and client
 * share one process, so its longest block includes the work of all three.
 *   node --expose-gc bench/policy-changes.ts [people] [units] [seconds]
 */
const [people = 75_000, units = 250, seconds = 30] = process.argv.slice(2).map(Number)
const perSecond = 10
const connected = 5
const goals = { blockMs: 20, p99Ms: 500, megabytes: 150 } as const

const placeRow = z.object({
  unit: z.uuid(),
  rule: z.uuid(),
  team: z.uuid(),
  user: z.uuid(),
  card: z.uuid(),
  members: z.array(z.uuid()),
})

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, database, databaseUrl, secretKey, client, startController } = await startFilledServer({
    people,
    units,
    stops,
  })
  const places = await readPlaces(owner)
  await compiled(owner)

  const fleet = await Promise.all(places.slice(0, connected).map(({ unit }, at) => startController(at + 1, unit)))
  while (fleet.some((controller) => appliedBy(controller) === 0)) await delay(50)
  await compiled(owner)

  const pool = new pg.Pool({ connectionString: databaseUrl, max: connected })
  stops.push(() => pool.end())
  const idle = await longestBlock(() => delay(10_000))
  const before = await configsOf(owner)
  const edited = new Set<string>()
  const bare: number[] = []
  const answers: number[] = []
  const waits: number[] = []
  const block = await longestBlock(async () => {
    const following: Promise<void>[] = []
    const began = performance.now()
    const busy = new Set<number>()
    for (let edit = 0; edit < seconds * perSecond; edit += 1) {
      await delay(Math.max(0, began + (edit * 1_000) / perSecond - performance.now()))
      const at = edit % 2 === 0 ? (edit / 2) % connected : connected + (edit % (units - connected))
      const [place, controller] = [places[at], fleet[at]]
      // One change at a time of each measured controller, so that each configuration belongs to one change.
      if (!place || busy.has(at)) continue
      edited.add(place.unit)
      busy.add(at)
      following.push(measure({ place, controller }).finally(() => busy.delete(at)))
    }
    await Promise.all(following)
  })
  await compiled(owner)
  const after = await configsOf(owner)
  const got = [...after].filter(([unit, count]) => count > (before.get(unit) ?? 0)).map(([unit]) => unit)
  const megabytes = await memoryOfPolicy({ database, secretKey }, await rootIn(owner))

  console.log(`\n${people} people and cards, ${units} controllers; ${perSecond} changes a second for ${seconds} s:`)
  const { wallMs, cpuMs } = block
  print(
    'longest block',
    `${wallMs.toFixed(1)} ms, above idle (${idle.wallMs.toFixed(1)}) ${(wallMs - idle.wallMs).toFixed(1)}`,
    wallMs - idle.wallMs <= goals.blockMs,
  )
  print('  of processor time', `${cpuMs.toFixed(1)} ms (idle: ${idle.cpuMs.toFixed(1)})`, cpuMs <= goals.blockMs)
  print('request to answer, p50 / p99', `${median(answers).toFixed(0)} / ${quantile(answers, 0.99).toFixed(0)} ms`)
  print('commit to applied, p50', `${median(waits).toFixed(0)} ms (row read by bare pg: ${median(bare).toFixed(1)} ms)`)
  const p99 = quantile(waits, 0.99)
  print(
    'commit to applied, p99',
    `${p99.toFixed(0)} ms (row read by bare pg: ${quantile(bare, 0.99).toFixed(1)} ms)`,
    p99 <= goals.p99Ms,
  )
  const unaffected = got.filter((unit) => !edited.has(unit)).length
  print(
    'controllers with a new configuration',
    `${got.length} of ${edited.size} affected, ${unaffected} others`,
    unaffected === 0,
  )
  print('memory of the policy', `${megabytes.toFixed(0)} MB`, megabytes <= goals.megabytes)

  /** Makes one change and waits until the controller has applied it. */
  async function measure({ place, controller }: { place: Place; controller: VirtualUnit | undefined }) {
    const version = controller ? appliedBy(controller) : 0
    const requested = performance.now()
    await change(place)
    const answered = performance.now()
    answers.push(answered - requested)
    if (controller) {
      while (appliedBy(controller) === version) await delay(1)
      waits.push(performance.now() - answered)
    }
    const startedAt = performance.now()
    await pool.query('select * from credential where credential_id = $1', [place.card])
    bare.push(performance.now() - startedAt)
  }

  /** One of four kinds of change in turn. Each changes the configuration of the site's controller. */
  async function change({ card, user, team, members, rule, turns }: Place) {
    const round = Math.floor(turns.length / 4)
    const validUntil = new Date(Date.UTC(2030, 0, 1 + round)).toISOString()
    const kinds = [
      () => client.of(rules).patch(rule, { direction: round % 2 === 0 ? 'entry' : 'both' }),
      () => client.of(credentials).patch(card, { validUntil }),
      () => client.of(users).patch(user, { validUntil }),
      () => client.of(userGroups).patch(team, { members: round % 2 === 0 ? members.slice(0, -1) : members }),
    ]
    await kinds[turns.push(round) % 4]?.()
  }
}

type Place = z.output<typeof placeRow> & { turns: number[] }

async function readPlaces(owner: pg.Client): Promise<Place[]> {
  const { rows } = await owner.query(
    `select place.unit, place.rule, place.team, array_agg(person order by person) as members,
            (array_agg(person order by p))[1] as user, (array_agg(card order by p))[1] as card
       from place join resident on resident.team = place.team group by n, place.unit, place.rule, place.team order by n`,
  )
  return z
    .array(placeRow)
    .parse(rows)
    .map((each) => ({ ...each, turns: [] }))
}

/** The number of configurations of each unit so far. */
async function configsOf(owner: pg.Client) {
  const { rows } = await owner.query(
    'select unit_config_unit as unit, count(*)::int as count from unit_config group by 1',
  )
  const counted = z.array(z.object({ unit: z.uuid(), count: z.int() })).parse(rows)
  return new Map(counted.map(({ unit, count }) => [unit, count]))
}

function appliedBy(controller: VirtualUnit) {
  return controller.state().running?.appliedVersion ?? 0
}

/**
 * The longest block of the process, and the longest processor time between two ticks of a timer, which other programs do
 * not lengthen.
 */
async function longestBlock(work: () => Promise<unknown>) {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  let [last, cpuMs] = [cpuNow(), 0]
  const ticks = setInterval(() => {
    const now = cpuNow()
    cpuMs = Math.max(cpuMs, now - last)
    last = now
  }, 1)
  histogram.enable()
  await work()
  histogram.disable()
  clearInterval(ticks)
  return { wallMs: histogram.max / 1e6, cpuMs }
}

function cpuNow() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function rootIn(owner: pg.Client) {
  const { rows } = await owner.query('select policy_root as root from policy')
  return z.array(z.object({ root: z.int() })).parse(rows)[0]?.root ?? 0
}

type Filled = Pick<Awaited<ReturnType<typeof startFilledServer>>, 'database' | 'secretKey'>

/** The heap size of a loaded policy. */
async function memoryOfPolicy({ database, secretKey }: Filled, root: number) {
  const numbers = credentialNumbersFrom(secretKey)
  const used = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  const tree = await loadPolicy((work) => database.asSystem(work), root, numbers)
  const taken = used() - before
  if (tree.index.credentials.size === 0) throw new Error('The loaded policy is empty: the database was not filled.')
  return taken / 1e6
}

function print(name: string, value: string, isMet?: boolean) {
  const verdict = { true: 'met', false: 'MISSED', undefined: '' }[`${isMet}`]
  console.log(`  ${name.padEnd(38)} ${value}  ${verdict}`)
}
