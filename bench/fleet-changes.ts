import { setTimeout as delay } from 'node:timers/promises'
import { rules } from '@portcullis/contract/collections/rules'
import { users } from '@portcullis/contract/collections/users'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { z } from 'zod'
import { startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'

/**
 * Measures changes that concern every controller of an estate, all of them connected: a large group gets its first rule
 * there, then another one, and then users of this group lose their access one after the other. Each time runs from the
 * answer until a controller has applied the change. Server, controllers and client share one process.
 *   node bench/fleet-changes.ts [users] [controllers] [users of the group] [endings]
 */
const [people = 75_000, controllers = 200, ofGroup = 10_000, endings = 10] = process.argv.slice(2).map(Number)
const goals = { ruleMs: 3_000, endingMs: 1_000 } as const

const placeRow = z.object({ unit: z.uuid(), site: z.uuid() })
const memberRow = z.object({ person: z.uuid(), card: z.uuid(), number: z.string() })

type Running = NonNullable<ReturnType<VirtualUnit['state']>['running']>
type Condition = (running: Running, versionBefore: number) => boolean

const isNewer: Condition = ({ appliedVersion }, before) => (appliedVersion ?? 0) > before

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client, startController } = await startFilledServer({ people, units: controllers, stops })
  const places = z.array(placeRow).parse((await owner.query('select unit, site from place order by n')).rows)
  const group = await owner.query(
    `with made as (insert into user_group (user_group_id, user_group_account, user_group_name)
        select uuidv7(), key, 'Everywhere' from place limit 1 returning user_group_id as id, user_group_account as key),
      linked as (insert into link (link_account, link_owner, link_field, link_kind, link_target)
        select made.key, made.id, 'members', 'users', person from made, (select person from resident order by p limit $1) p)
      select id from made`,
    [ofGroup],
  )
  const { id } = z.object({ id: z.uuid() }).parse(group.rows[0])
  const fleet = await Promise.all(places.map(({ unit }, at) => startController(at + 1, unit)))
  await applied(0)

  const everywhere = places.map(({ site }) => ({ kind: 'Site' as const, id: site }))
  const who = [{ kind: 'User Group' as const, id }]
  const rule = { name: 'Everywhere', effect: 'allow' as const, who, where: everywhere }
  for (const which of ['its first rule', 'another rule']) {
    const before = process.cpuUsage()
    const [ruleWaits] = await measure(() => client.of(rules).create(rule), [isNewer])
    const { user, system } = process.cpuUsage(before)
    report(`a group of ${ofGroup} users gets ${which}: applied`, ruleWaits, goals.ruleMs)
    console.log(`  ${((user + system) / 1_000).toFixed(0)} ms of processor time, without that of the database`)
  }

  const { rows } = await owner.query(
    `select person, card, credential_number as number from resident join credential on credential_id = card
      order by p limit $1`,
    [endings],
  )
  const [denials, waits]: [number[], number[]] = [[], []]
  for (const { person, card, number } of z.array(memberRow).parse(rows)) {
    const end = () => client.of(users).patch(person, { status: 'suspended' })
    const denies = ({ blocked }: Running) => blocked.includes(card)
    const [denied = [], configured = []] = await measure(end, [denies, isNewer])
    denials.push(...denied)
    waits.push(...configured)
    const verdicts = await Promise.all(
      fleet.map((controller) => controller.present({ door: 1, kind: 'card', number, direction: 'entry' })),
    )
    if (verdicts.some(({ verdict }) => verdict === 'grant')) throw new Error('A suspended user was granted access.')
  }
  report(`the access of one user ends, ${endings} times: denied`, denials, goals.endingMs)
  report('  its configuration applied', waits)

  /** How long after the answer each controller satisfies each of the conditions, or a later one. */
  async function measure(change: () => Promise<unknown>, conditions: readonly Condition[]) {
    const versions = fleet.map(versionOf)
    await change()
    const answered = performance.now()
    const times = conditions.map(() => new Map<number, number>())
    while (times.some(({ size }) => size < fleet.length)) {
      for (const [at, controller] of fleet.entries()) {
        const running = times.every((own) => own.has(at)) ? null : controller.state().running
        if (!running) continue
        const met = conditions.findLastIndex((condition) => condition(running, versions[at] ?? 0))
        for (const own of times.slice(0, met + 1)) if (!own.has(at)) own.set(at, performance.now() - answered)
      }
      await delay(10)
    }
    return times.map((own) => [...own.values()])
  }

  async function applied(version: number) {
    while (fleet.some((controller) => versionOf(controller) <= version)) await delay(50)
  }
}

function versionOf(controller: VirtualUnit) {
  return controller.state().running?.appliedVersion ?? 0
}

function report(name: string, waits: readonly number[] = [], goalMs?: number) {
  const p99 = quantile(waits, 0.99)
  const verdict = goalMs === undefined ? '' : ` (goal ${goalMs}) ${p99 <= goalMs ? 'met' : 'MISSED'}`
  console.log(
    `${name} on ${controllers} controllers, p50 ${median(waits).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${verdict}`,
  )
}
