import { UnitRefused } from '../ingest/refusal.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'
import { Turns } from '../limits/turns.ts'

/** A whole site may be behind one address and reconnect at once after a power cut. */
const maxIntroducing = 200
const maxRefused = 60
/** How many refusals of one network in a minute count towards serial numbers too. */
const maxTowardsSerials = 20
const refusalWindowMs = 60_000
/** Beyond this many networks, or serial numbers, the oldest counts are dropped. */
const maxRemembered = 10_000

/** Each hello of a unit costs a welcome and perhaps a configuration: this many at once, and one more every two seconds. */
const arrivals = { burst: 5, perSecond: 0.5 } as const

type Client = { network: string; serial: string }

/**
 * Limits clients that have not proved which unit they are, by network and by serial number. A unit with a valid
 * signature is never refused because of others: where many were refused, signatures are checked one after the other, and
 * only enrolment codes are refused. A unit that connects again and again waits before it is admitted.
 */
export class HandshakeLimits {
  readonly #introducing = new Map<string, Set<() => void>>()
  readonly #networks = new RefusalCounts()
  /** Apart from the networks, whose counts invented serial numbers would push out. */
  readonly #serials = new RefusalCounts()
  readonly #arrivals = new TokenBuckets(arrivals)
  /** Ends the wait of a unit. */
  readonly #waiting = new Map<string, () => void>()
  /** Without a limit: only open connections wait, and those of a network are limited. */
  readonly #checks = new Turns({ most: 1, waiting: Number.POSITIVE_INFINITY })

  /**
   * Counts a connection until the returned function is called: when it introduces itself or closes. Beyond 200 of one
   * network, its oldest is ended, which has sent nothing.
   */
  begin(network: string, end: () => void) {
    const introducing = this.#introducing.get(network) ?? new Set()
    this.#introducing.set(network, introducing)
    const [oldest] = introducing
    introducing.add(end)
    if (introducing.size > maxIntroducing && oldest) {
      introducing.delete(oldest)
      oldest()
    }
    return () => {
      introducing.delete(end)
      if (introducing.size === 0 && this.#introducing.get(network) === introducing) this.#introducing.delete(network)
    }
  }

  /** Checks a signature: at once, or after the others of a network with many refusals that are still connected. */
  check<T>(network: string, work: () => Promise<T>, isOpen: () => boolean) {
    const workIfOpen = async () => {
      if (!isOpen()) throw new UnitRefused('too_slow')
      return work()
    }
    return this.#networks.isOver(network) ? this.#checks.take(network, workIfOpen) : workIfOpen()
  }

  /**
   * Waits until a unit that has proved its identity may arrive again, two seconds at most. A later arrival of the same
   * unit takes the place of one that waits.
   */
  async arrive(unit: string) {
    this.#waiting.get(unit)?.()
    const bucket = this.#arrivals.of(unit)
    if (!bucket.trySpend(1)) {
      await this.#wait(unit, bucket.msUntil(1))
      bucket.spend(1)
    }
  }

  /** Ends all waits for an arrival. */
  close() {
    for (const end of this.#waiting.values()) end()
  }

  #wait(unit: string, ms: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waiting.delete(unit)
      resolve()
    }, ms)
    this.#waiting.set(unit, () => {
      clearTimeout(timer)
      this.#waiting.delete(unit)
      reject(new UnitRefused('too_many_connections', { unit }))
    })
    return promise
  }

  mayEnrol({ network, serial }: Client) {
    return !this.#networks.isOver(network) && !this.#serials.isOver(serial)
  }

  /**
   * `serial` is that of a wrong enrolment code. One network counts towards serial numbers a few times in a minute only:
   * one address alone cannot prevent the enrolment of a unit.
   */
  refused({ network, serial }: { network: string; serial: string | undefined }) {
    this.#networks.count(network)
    if (serial !== undefined && this.#networks.countOf(network) <= maxTowardsSerials) this.#serials.count(serial)
  }
}

class RefusalCounts {
  readonly #refused = new Map<string, { count: number; until: number }>()

  count(key: string) {
    const counted = this.#current(key)
    if (counted) counted.count++
    else this.#refused.set(key, { count: 1, until: Date.now() + refusalWindowMs })
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > maxRemembered && oldest !== undefined) this.#refused.delete(oldest)
  }

  isOver(key: string) {
    return this.countOf(key) >= maxRefused
  }

  countOf(key: string) {
    return this.#current(key)?.count ?? 0
  }

  #current(key: string) {
    const counted = this.#refused.get(key)
    if (counted && Date.now() < counted.until) return counted
    this.#refused.delete(key)
    return undefined
  }
}
