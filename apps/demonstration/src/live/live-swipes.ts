import { usersOfRule, rulesAtDoor } from '@portcullis/domain/decision/applying-rules'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential, Door } from '@portcullis/domain/policy'
import { listsOf } from '../policy-lists.ts'
import type { Random } from '../random.ts'
import { decisionOn, type Swipe } from '../swipe.ts'
import { type UnhappyReason, unhappyReasons, unhappySwipe } from '../unhappy-swipes.ts'

const oneIn = 10
const maxAttempts = 40
/** At least this many other users present a card before the same user does so again. */
const restOfPeople = 14
const maxInside = 60

/** The most frequent reasons for denials. */
const everyday: readonly UnhappyReason[] = ['outside_schedule', 'no_access', 'credential_unknown', 'outside_schedule']

/** Users who come and go now, as the current policy allows. One in ten is denied, and over time for every reason. */
export class LiveSwipes {
  readonly #random: Random
  readonly #recent: string[] = []
  readonly #inside = new Map<string, { site: string }>()
  #reasons: UnhappyReason[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Undefined if no user would present a card. */
  next(index: PolicyIndex, at: number): Swipe | undefined {
    const swipe = this.#random.chance(1 / oneIn) ? this.#unhappy(index, at) : undefined
    const chosen = swipe ?? this.#leaving(index, at) ?? this.#coming(index, at)
    if (chosen) this.#remember(chosen.number)
    return chosen
  }

  #unhappy(index: PolicyIndex, at: number) {
    for (let attempt = 0; attempt < unhappyReasons.length; attempt++) {
      if (this.#reasons.length === 0) this.#reasons = shuffled([...unhappyReasons, ...everyday], this.#random)
      const reason = this.#reasons.pop()
      const swipe = reason && unhappySwipe({ index, reason, at, random: this.#random })
      if (swipe) return swipe
    }
    return undefined
  }

  #coming(index: PolicyIndex, at: number) {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const card = this.#random.pick(listsOf(index).credentials)
      if (!card || card.user === null || this.#recent.includes(card.number)) continue
      const door = this.#random.pick(this.#doorsFor(index, card))
      const swipe = door && swipeAt(door, card.number, 'entry')
      if (!door || !swipe || decisionOn(index, swipe, at).verdict !== 'grant') continue
      this.#inside.set(card.number, { site: door.site })
      return swipe
    }
    return undefined
  }

  /** The doors that some rule opens for the holder, at the site where the holder is, if any. */
  #doorsFor(index: PolicyIndex, card: Credential) {
    const site = this.#inside.get(card.number)?.site
    const doors = doorsOfPeople(index).get(card.user ?? '') ?? []
    return site === undefined ? doors : doors.filter((door) => door.site === site)
  }

  /** A user who came in leaves again, through a door with a reader on that side. */
  #leaving(index: PolicyIndex, at: number) {
    if (!this.#random.chance(this.#inside.size / (2 * maxInside))) return undefined
    for (const [number, { site }] of this.#inside) {
      if (this.#recent.includes(number)) continue
      this.#inside.delete(number)
      const doors = listsOf(index).doors.filter((door) => door.site === site && door.directions.exit)
      const door = this.#random.pick(doors)
      const swipe = door && swipeAt(door, number, 'exit')
      if (swipe && decisionOn(index, swipe, at).verdict === 'grant') return swipe
    }
    return undefined
  }

  #remember(number: string) {
    this.#recent.push(number)
    if (this.#recent.length > restOfPeople) this.#recent.shift()
  }
}

function swipeAt({ unit, unitDoor }: Door, number: string, direction: Swipe['direction']): Swipe | undefined {
  return unit === null || unitDoor === null ? undefined : { unit, unitDoor, number, direction }
}

const cache = new WeakMap<PolicyIndex, Map<string, Door[]>>()

/** For each user the doors that a rule opens for them at some time; computed once per policy. */
function doorsOfPeople(index: PolicyIndex) {
  const found = cache.get(index) ?? new Map<string, Door[]>()
  if (cache.has(index)) return found
  for (const door of listsOf(index).doors) {
    const rules = rulesAtDoor(index, door).filter(({ effect }) => effect === 'allow')
    for (const user of new Set(rules.flatMap((rule) => [...usersOfRule(index, rule)]))) {
      found.set(user, [...(found.get(user) ?? []), door])
    }
  }
  cache.set(index, found)
  return found
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
