import type { PolicyIndex } from '@portcullis/domain/gather-facts'
import type { Random } from './random.ts'
import { decisionOn, type Swipe } from './swipe.ts'
import { type UnhappyReason, unhappyReasons, unhappySwipe } from './unhappy-swipes.ts'

const oneIn = 8
const mostAttempts = 40
/** So many others come before somebody presents a card again. */
const restOfPeople = 14
const mostInside = 25

/** What happens more often in every building. */
const everyday: readonly UnhappyReason[] = ['outside_schedule', 'no_access', 'credential_unknown', 'outside_schedule']

/** People coming and going now, as the policy in force lets them; one in eight is turned away, in time for every reason. */
export class LiveSwipes {
  readonly #random: Random
  readonly #recent: string[] = []
  readonly #inside = new Map<string, { site: string }>()
  #reasons: UnhappyReason[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Undefined where nobody can be found who would come. */
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
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const card = this.#random.pick(index.policy.credentials)
      if (!card || card.user === null || this.#recent.includes(card.number)) continue
      const place = this.#random.pick(this.#placesFor(index, card.number, at))
      if (!place) continue
      this.#inside.set(card.number, { site: place.site })
      return place.swipe
    }
    return undefined
  }

  /** The doors that let a card in now, of the site that its holder is at, if they are anywhere. */
  #placesFor(index: PolicyIndex, number: string, at: number) {
    const site = this.#inside.get(number)?.site
    return index.policy.doors.flatMap((door) => {
      const { unit, unitDoor } = door
      if (unit === null || unitDoor === null || (site ?? door.site) !== door.site) return []
      const swipe: Swipe = { unit, unitDoor, number, direction: 'entry' }
      return decisionOn(index, swipe, at).verdict === 'grant' ? [{ swipe, site: door.site }] : []
    })
  }

  /** Who came in goes out again, through a door that has a reader on that side. */
  #leaving(index: PolicyIndex, at: number) {
    if (!this.#random.chance(this.#inside.size / (2 * mostInside))) return undefined
    for (const [number, { site }] of this.#inside) {
      if (this.#recent.includes(number)) continue
      this.#inside.delete(number)
      const doors = index.policy.doors.filter((door) => door.site === site && door.directions.exit)
      const door = this.#random.pick(doors)
      if (!door || door.unit === null || door.unitDoor === null) continue
      const swipe: Swipe = { unit: door.unit, unitDoor: door.unitDoor, number, direction: 'exit' }
      if (decisionOn(index, swipe, at).verdict === 'grant') return swipe
    }
    return undefined
  }

  #remember(number: string) {
    this.#recent.push(number)
    if (this.#recent.length > restOfPeople) this.#recent.shift()
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
