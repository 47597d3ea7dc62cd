import { compileUnit } from '../packages/domain/src/configuration/compile-unit.ts'
import { decideOnUnit } from '../packages/domain/src/configuration/decide-on-unit.ts'
import { decideAccess } from '../packages/domain/src/decision/decide-access.ts'
import { gatherFacts, policyIndex } from '../packages/domain/src/decision/gather-facts.ts'
import type { Policy } from '../packages/domain/src/policy.ts'
import {
  credential,
  door,
  group,
  rule,
  samplePolicy,
  schedule,
  site,
  user,
} from '../packages/domain/src/sample-policy.ts'
import { median } from './median.ts'

/**
 * Measures decisions with all findings, on one core: at the server from a large policy, and at a controller from its
 * configuration, beside plain look-ups of the presented number in the same run.
 *   node bench/decisions.ts [people] [doors] [rules]
 */
const [people = 75_000, doors = 2_500, rules = 5_000] = process.argv.slice(2).map(Number)
const goal = 3_000_000
const rounds = 5
const roundMs = 1_000
const doorsOfUnit = 10
const at = Date.parse('2026-11-18T12:00:00Z')

const index = policyIndex(policyOf())
const begun = performance.now()
const config = compileUnit({ index, unit: 'unit-0', at, hashNumber: (number) => number })
const compileMs = performance.now() - begun
const byNumber = new Map(Array.from({ length: people }, (_, at) => [`card ${at}`, at]))
const held = Object.keys(config.credentials)

// Numbers and attempts exist before the clock runs: making a text takes longer than looking it up.
const numbers = Array.from({ length: people }, (_, turn) => `card ${(turn * 31) % people}`)
const attempts = numbers.map(
  (credentialNumber, turn) => ({ door: `door-${turn % doors}`, credentialNumber, direction: 'entry', at }) as const,
)
const attemptsAtUnit = held.map(
  (credentialKey, turn) => ({ unitDoor: 1 + (turn % doorsOfUnit), credentialKey, direction: 'entry', at }) as const,
)

const lookUps = rate(numbers, (number) => byNumber.get(number) !== undefined)
const atServer = rate(attempts, (attempt) => decideAccess(gatherFacts(index, attempt)).findings.length > 0)
const atUnit = rate(attemptsAtUnit, (attempt) => decideOnUnit(config, attempt).findings.length > 0)

console.log(`${people} users, ${doors} doors, ${rules} rules; goal ${format(goal)} a second`)
console.log(`look-ups in a map       ${format(lookUps)} a second`)
console.log(
  `decisions at the server ${format(atServer)} a second, a look-up is ${(lookUps / atServer).toFixed(1)} times as fast`,
)
console.log(
  `decisions at a unit     ${format(atUnit)} a second, a look-up is ${(lookUps / atUnit).toFixed(1)} times as fast`,
)
console.log(`a unit of ${held.length} credentials is compiled in ${compileMs.toFixed(0)} ms`)

/** How many a second of processor time: the median of some rounds, each a second long. */
function rate<T>(items: readonly T[], work: (item: T) => boolean) {
  const rates = Array.from({ length: rounds }, () => {
    const [since, begun] = [process.cpuUsage(), performance.now()]
    let count = 0
    do {
      for (const item of items) if (!work(item)) throw new Error('nothing was found')
      count += items.length
    } while (performance.now() - begun < roundMs)
    return (count * 1_000_000) / process.cpuUsage(since).user
  })
  return median(rates)
}

function format(value: number) {
  return Math.round(value).toLocaleString('en')
}

/** Each rule gives one of a hundred groups access to one door, by a schedule; each unit has ten doors. */
function policyOf(): Policy {
  const groups = 100
  const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
  return samplePolicy({
    sites: [site()],
    units: many(Math.ceil(doors / doorsOfUnit), (at) => ({
      _id: `unit-${at}`,
      account: 'acme',
      name: `Unit ${at}`,
      site: 'site',
    })),
    doors: many(doors, (at) =>
      door({ _id: `door-${at}`, unit: `unit-${Math.floor(at / doorsOfUnit)}`, unitDoor: 1 + (at % doorsOfUnit) }),
    ),
    users: many(people, (at) => user({ _id: `user-${at}` })),
    credentials: many(people, (at) => credential({ _id: `card-${at}`, user: `user-${at}`, number: `card ${at}` })),
    userGroups: many(groups, (at) =>
      group({
        _id: `group-${at}`,
        members: many(Math.ceil(people / groups), (member) => `user-${member * groups + at}`),
      }),
    ),
    rules: many(rules, (at) =>
      rule({
        _id: `rule-${at}`,
        who: [{ kind: 'User Group', id: `group-${at % groups}` }],
        where: [{ kind: 'Door', id: `door-${at % doors}` }],
        schedule: 'day-shift',
      }),
    ),
    schedules: [schedule()],
  })
}
