import { type IdleState, idleState } from './idle-state.ts'
import { lastActivityAt, markActivity } from '../session/last-activity.ts'
import { onTabMessage, postToTabs } from '../session/session-channel.ts'
import { client } from '../session/client.ts'

const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const
/** Moving causes many events; one in this time is enough. */
const leastBetweenSignsMs = 500
const tickMs = 1_000

/** The server receives activity at most this often (design §2). */
const leastPauseMs = 30_000
const place = 'portcullis-activity-told'

let isReportDue = false
let ownSentAt = 0

/**
 * Watches for activity: moving, typing or touching in any tab counts in all. Once the warning is out, only Continue
 * counts (specification §4). `onState` receives every change, and every second of the warning.
 */
export class IdleWatch {
  readonly #idleTimeS: number
  readonly #onState: (state: IdleState) => void
  readonly #ends: (() => void)[]
  #state: IdleState = { is: 'active' }
  #lastSignAt = 0
  #pointer = ''

  constructor({ idleTimeS, onState }: { idleTimeS: number; onState: (state: IdleState) => void }) {
    this.#idleTimeS = idleTimeS
    this.#onState = onState
    // The server has just admitted the user, who opened this page: what an earlier session stored does not count.
    if (this.#stateAt(Date.now()).is !== 'active') this.#mark()
    const look = () => this.#look()
    const tick = setInterval(look, tickMs)
    const onSign = (event: Event) => this.#onSign(event)
    for (const sign of signs) addEventListener(sign, onSign, { capture: true, passive: true })
    // A computer that wakes, or a tab that is shown again: timers are late, the clock is not.
    document.addEventListener('visibilitychange', look)
    addEventListener('focus', look)
    addEventListener('pageshow', look)
    this.#ends = [
      onTabMessage(look),
      () => clearInterval(tick),
      () => document.removeEventListener('visibilitychange', look),
      () => removeEventListener('focus', look),
      () => removeEventListener('pageshow', look),
      ...signs.map((sign) => () => removeEventListener(sign, onSign, { capture: true })),
    ]
  }

  /** The user pressed Continue. */
  continueSession() {
    if (this.#stateAt(Date.now()).is !== 'over') this.#mark()
    this.#look()
  }

  stop() {
    for (const end of this.#ends) end()
  }

  #onSign(event: Event) {
    const now = Date.now()
    if (now - this.#lastSignAt < leastBetweenSignsMs && now >= this.#lastSignAt) return
    if (!event.isTrusted || !this.#isMovement(event)) return
    this.#lastSignAt = now
    // The movement that wakes a computer comes too late, and movement during the warning does not answer it.
    if (this.#stateAt(now).is === 'active') this.#mark()
    this.#look()
  }

  /** A resting pointer "moves" when the page scrolls below it. */
  #isMovement(event: Event) {
    if (!(event instanceof PointerEvent) || event.type !== 'pointermove') return true
    const pointer = `${event.screenX},${event.screenY}`
    const isMoved = pointer !== this.#pointer
    this.#pointer = pointer
    return isMoved
  }

  #mark() {
    const now = Date.now()
    markActivity(now)
    reportActivity(now)
    postToTabs({ kind: 'activity' })
  }

  #look() {
    const now = Date.now()
    const state = this.#stateAt(now)
    if (state.is !== 'over') reportIfDue(now)
    if (isSame(state, this.#state)) return
    this.#state = state
    this.#onState(state)
  }

  #stateAt(now: number) {
    return idleState({ lastActivityAt: lastActivityAt(), idleTimeS: this.#idleTimeS, now })
  }
}

function isSame(one: IdleState, other: IdleState) {
  if (one.is === 'warned' && other.is === 'warned') return one.secondsLeft === other.secondsLeft
  return one.is === other.is
}

/** Reports activity in this tab to the server, now or as soon as another report is due. */
function reportActivity(now: number) {
  isReportDue = true
  reportIfDue(now)
}

/** Sends held-back activity later, so the server never counts from an earlier moment than the warning does. */
function reportIfDue(now: number) {
  if (!isReportDue || Math.abs(now - lastReportAt()) < leastPauseMs) return
  isReportDue = false
  setSentAt(now)
  client.activity().catch(() => {
    isReportDue = true
  })
}

function lastReportAt() {
  try {
    return Math.max(ownSentAt, Number(localStorage.getItem(place)) || 0)
  } catch {
    return ownSentAt
  }
}

function setSentAt(now: number) {
  ownSentAt = now
  try {
    localStorage.setItem(place, String(now))
  } catch {
    // Without storage this tab counts for itself.
  }
}
