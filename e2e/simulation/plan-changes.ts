import { busyMs, timeAt } from './day-scenes.ts'
import type { Sizes } from './plan-day.ts'
import type { Visit } from './plan-visits.ts'
import type { Random } from './random.ts'
import { guardRule, type Mode, officeRule, visitorRule } from './rights.ts'
import type { RightsChange } from './rights-changes.ts'

export type Change =
  | { kind: 'rights'; change: RightsChange }
  | { kind: 'setMode'; unit: number; door: number; mode: Mode }

const shorterHours = [
  { start: '08:12', end: '12:00' },
  { start: '12:00', end: '20:00' },
]

const endings = 3
const takenBack = 0.6
const triesAfterMs = [600, 3_000]

type Timed<T> = T & { at: number }
type Moment = { random: Random; at: number }

/** An administrator ends rights, and takes most of that back later; users whose rights have changed try doors. */
export function planChanges(sizes: Sizes, random: Random) {
  return Array.from({ length: endings }, () => {
    const at = random.between(0, busyMs - 1)
    const { end, back } = anyEnding(sizes, { random, at })
    const isTakenBack = random.chance(takenBack)
    const changes = [{ ...end, at }, ...(isTakenBack ? [{ ...back, at: random.between(at, busyMs - 1) }] : [])]
    return changes.flatMap((change) => [change, ...triesAfter(change, { sizes, random })])
  }).flat()
}

type TryOptions = { sizes: Sizes; random: Random }

function triesAfter(planned: Timed<Change>, { sizes, random }: TryOptions): Timed<Visit>[] {
  const place = planned.kind === 'setMode' ? { unit: planned.unit, door: planned.door } : undefined
  const known = planned.kind === 'rights' && 'user' in planned.change ? planned.change.user : undefined
  return triesAfterMs.flatMap((afterMs) => {
    const at = planned.at + afterMs
    if (at >= busyMs) return []
    const card = known ?? random.between(0, sizes.cards - 1)
    return [{ kind: 'present', at, ...(place ?? anyPlace(sizes, random)), card, direction: 'entry' }]
  })
}

type Ending = { end: Change; back: Change }

function anyEnding(sizes: Sizes, moment: Moment): Ending {
  const { random } = moment
  if (random.chance(0.2)) {
    const place = { kind: 'setMode', ...anyPlace(sizes, random) } as const
    return { end: { ...place, mode: anyMode(moment) }, back: { ...place, mode: { mode: 'normal', until: null } } }
  }
  const [end, back] = anyRightsEnding(sizes, moment)
  return { end: { kind: 'rights', change: end }, back: { kind: 'rights', change: back } }
}

function anyRightsEnding({ cards, staff }: Sizes, moment: Moment) {
  const { random } = moment
  const user = random.between(0, cards - 1)
  const membership = { group: random.pick([officeRule, officeRule, guardRule]), user: random.between(0, staff - 1) }
  const rule = random.pick([officeRule, guardRule, visitorRule])
  return random.pick<readonly [RightsChange, RightsChange]>([
    [
      { kind: 'setUser', user, status: 'suspended' },
      { kind: 'setUser', user, status: 'active' },
    ],
    [
      { kind: 'setCard', user, status: 'suspended' },
      { kind: 'setCard', user, status: 'active' },
    ],
    [
      { kind: 'limitUser', user, until: laterThan(moment) },
      { kind: 'limitUser', user, until: null },
    ],
    [
      { kind: 'removeCard', user },
      { kind: 'issueCard', user },
    ],
    [
      { kind: 'leaveGroup', ...membership },
      { kind: 'joinGroup', ...membership },
    ],
    [
      { kind: 'setRule', rule, isEnabled: false },
      { kind: 'setRule', rule, isEnabled: true },
    ],
    [
      { kind: 'removeRule', rule },
      { kind: 'addRule', rule },
    ],
    [
      { kind: 'setHours', ...random.pick(shorterHours) },
      { kind: 'setHours', start: '07:00', end: '19:00' },
    ],
    [{ kind: 'addHoliday' }, { kind: 'endHoliday' }],
  ])
}

function anyMode(moment: Moment): Mode {
  return moment.random.pick<Mode>([
    { mode: 'unlocked', until: laterThan(moment) },
    { mode: 'blocked', until: laterThan(moment) },
    { mode: 'blocked', until: null },
    { mode: 'lockdown', until: null },
  ])
}

/** An instant in this scene or a later one, which a unit must also keep without a connection. */
function laterThan({ random, at }: Moment) {
  const least = at + 500
  return timeAt(random.between(least, Math.max(least, Math.min(busyMs, at + 6_000))))
}

export function anyPlace({ units, doorsPerUnit }: Sizes, random: Random) {
  return { unit: random.between(0, units - 1), door: random.between(1, doorsPerUnit) }
}
