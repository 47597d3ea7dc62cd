/** The refused requests of one user in one minute, from the first of them. */
export type RefusalCount = { user: string; since: number; count: number; routes: string[] }

const minuteMs = 60_000
/** Beyond this many users in a minute, refusals of further users are not counted: the memory stays bounded. */
const maxUsers = 10_000
const maxRoutes = 5

/** Counts refused authorisations in memory, so that a refused request costs no write. */
export class RefusalCounts {
  readonly #now: () => number
  readonly #counts = new Map<string, RefusalCount>()
  #over: RefusalCount[] = []

  constructor({ now }: { now: () => number }) {
    this.#now = now
  }

  add({ user, route }: { user: string; route: string }) {
    const current = this.#current(user)
    if (!current) return
    current.count += 1
    if (current.routes.length < maxRoutes && !current.routes.includes(route)) current.routes.push(route)
  }

  /** Removes and returns the counts whose minute is over, or all counts. */
  take(selection: 'over' | 'all') {
    for (const [user, each] of this.#counts) {
      if (selection === 'over' && !this.#isOver(each)) continue
      this.#counts.delete(user)
      this.#over.push(each)
    }
    const taken = this.#over
    this.#over = []
    return taken
  }

  /** Returns counts that could not be stored. */
  restore(counts: readonly RefusalCount[]) {
    this.#over.push(...counts.slice(0, Math.max(0, maxUsers - this.#over.length)))
  }

  #current(user: string) {
    const existing = this.#counts.get(user)
    if (existing && !this.#isOver(existing)) return existing
    if (this.#counts.size + this.#over.length >= maxUsers) return undefined
    if (existing) this.#over.push(existing)
    const counted: RefusalCount = { user, since: this.#now(), count: 0, routes: [] }
    this.#counts.set(user, counted)
    return counted
  }

  #isOver({ since }: RefusalCount) {
    return this.#now() - since >= minuteMs
  }
}
