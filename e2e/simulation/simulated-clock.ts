import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { untilQuiet } from './until-quiet.ts'

type Timer = { at: number; order: number; waitMs: number; times: 'once' | 'repeated'; run: () => void }
type DelayOptions = { signal?: AbortSignal | undefined }

const globals = { setTimeout, setInterval, clearTimeout, clearInterval, Date }
const delayOfNode = timersPromises.setTimeout
const dateNow = Date.now
const randomOfNode = Math.random

/**
 * Replaces the timers, the dates, the monotonic clock and `Math.random` of this process. Time stands still while work
 * runs; when the process waits for nothing but time, the clock jumps to the next timer.
 */
export class SimulatedClock {
  /** Milliseconds since 1970. */
  now: number
  readonly #startedAt: number
  readonly #timers = new Map<object, Timer>()
  readonly #onJump: (now: number) => void
  readonly #answered: () => Promise<void> | undefined
  #order = 0

  constructor({ startsAt, onJump, answered }: ClockOptions) {
    this.now = startsAt
    this.#startedAt = startsAt
    this.#onJump = onJump
    this.#answered = answered
  }

  install(random: () => number) {
    const now = () => this.now
    const set =
      (times: Timer['times']) =>
      (callback: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
        this.#set({ ms: ms ?? 0, times, run: () => callback(...given) })
    const clear = (timer: object | undefined) => void (timer && this.#timers.delete(timer))
    const date = new Proxy(globals.Date, {
      construct: (target, given) => dateFrom(target, given.length === 0 ? [this.now] : given),
    })
    Object.assign(globalThis, { setTimeout: set('once'), setInterval: set('repeated') })
    Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear })
    Object.assign(globalThis, { Date: date })
    Object.assign(globals.Date, { now })
    Object.assign(Math, { random })
    // Far from 0, as on a machine that has run for a while.
    const monotonic = () => 1_000_000 + this.now - this.#startedAt
    Object.defineProperty(performance, 'now', { value: monotonic, configurable: true })
    Object.assign(timersPromises, {
      setTimeout: (ms?: number, value?: unknown, options: DelayOptions = {}) => this.#delay(ms ?? 0, value, options),
    })
    syncBuiltinESMExports()
  }

  uninstall() {
    this.#timers.clear()
    Object.assign(globalThis, globals)
    Object.assign(globals.Date, { now: dateNow })
    Object.assign(Math, { random: randomOfNode })
    Reflect.deleteProperty(performance, 'now')
    Object.assign(timersPromises, { setTimeout: delayOfNode })
    syncBuiltinESMExports()
  }

  /** Runs everything that is due until this time. */
  async runUntil(end: number) {
    for (;;) {
      await untilQuiet(this.#answered)
      const next = this.#next()
      if (next === undefined || next.timer.at > end) break
      if (next.timer.at > this.now) this.#jump(next.timer.at)
      this.#fire(next)
    }
    if (end > this.now) this.#jump(end)
  }

  /** All clocks jump there, and what waits for time waits on: as if all machines had slept meanwhile. */
  async skipTo(at: number) {
    await untilQuiet(this.#answered)
    const skippedMs = at - this.now
    for (const timer of this.#timers.values()) timer.at += skippedMs
    this.#jump(at)
  }

  /** Lets time pass until work has ended, whatever it waits for. */
  async runUntilDone<T>(work: Promise<T>, withinMs: number): Promise<T> {
    let isDone = false
    const end = this.now + withinMs
    const settled = work.finally(() => {
      isDone = true
    })
    settled.catch(() => {})
    for (;;) {
      await untilQuiet(this.#answered)
      if (isDone) return settled
      const next = this.#next()
      if (next === undefined || next.timer.at > end) throw new Error(`Work has not ended within ${withinMs} ms.`)
      await this.runUntil(next.timer.at)
    }
  }

  #next() {
    let next: { handle: object; timer: Timer } | undefined
    for (const [handle, timer] of this.#timers) {
      if (next === undefined || isBefore(timer, next.timer)) next = { handle, timer }
    }
    return next
  }

  #fire({ handle, timer }: { handle: object; timer: Timer }) {
    if (timer.times === 'once') this.#timers.delete(handle)
    else Object.assign(timer, { at: this.now + timer.waitMs, order: this.#order++ })
    timer.run()
  }

  #jump(at: number) {
    this.now = at
    this.#onJump(at)
  }

  #set({ ms, ...timer }: { ms: number } & Pick<Timer, 'times' | 'run'>) {
    const waitMs = Math.max(1, Math.ceil(ms) || 1)
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true }
    const at = this.now + waitMs
    this.#timers.set(handle, { at, order: this.#order++, waitMs, ...timer })
    return handle
  }

  #delay(ms: number, value: unknown, { signal }: DelayOptions) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const handle = this.#set({ ms, times: 'once', run: () => resolve(value) })
      signal?.addEventListener('abort', () => {
        this.#timers.delete(handle)
        reject(signal.reason)
      })
    })
  }
}

type ClockOptions = {
  startsAt: number
  /** Sets the clocks of other processes. */
  onJump: (now: number) => void
  /** Resolves when an answer of another process has come; undefined if none is awaited. */
  answered: () => Promise<void> | undefined
}

function isBefore(one: Timer, other: Timer) {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

function dateFrom(target: DateConstructor, given: unknown[]) {
  const date: unknown = Reflect.construct(target, given)
  if (!(date instanceof target)) throw new TypeError('This is not a date.')
  return date
}
