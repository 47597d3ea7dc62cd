import { setTimeout as delay } from 'node:timers/promises'
import { NoConnection, ServerSession } from './server-session.ts'
import type { SigningUnit } from './signing-unit.ts'

/** A server that still counts an earlier connection as live may refuse the next one for a moment. */
const retryMs = 500

/** `onInvalid` receives the fault of a frame that does not match the schema. */
type Options = { unit: SigningUnit; url: string; patienceMs: number; onInvalid: (fault: string) => void }
/** What the unit says in its hello, if it is not the truth. */
type HelloOverrides = { highestVersion?: number; applied?: null }
type HeartbeatOverrides = { at?: string; request?: string; ofTheFuture?: number[] }

/** The connections of the kit's unit to the server under test. */
export class UnitConnections {
  /** All that were opened. */
  readonly sessions: ServerSession[] = []
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Rejects with `NoConnection`. */
  async open() {
    const session = await ServerSession.open(this.#options)
    this.sessions.push(session)
    return session
  }

  /** Says hello; returns the fault of the welcome. */
  async join(session: ServerSession, given: HelloOverrides = {}) {
    const { unit, patienceMs } = this.#options
    const hello = unit.hello({ nonce: session.nonce, ...given })
    session.send(hello)
    session.unitNonce = hello.nonce
    const welcome = await session.next('welcome', patienceMs)
    if (!welcome) return 'It did not welcome the unit.'
    if (welcome.unit !== unit.id) return `It welcomed the unit ${welcome.unit}.`
    return unit.isSignedClock(session, { ...welcome, requestedAt: hello.at }) ? null : forgedClock
  }

  /** A new connection that is welcomed, however often it is refused until then; or the last fault. */
  async rejoin(given: HelloOverrides = {}) {
    const until = performance.now() + this.#options.patienceMs
    for (;;) {
      const joined = await this.#joinOnce(given)
      if (joined.session || performance.now() > until) return joined
      await delay(retryMs)
    }
  }

  async #joinOnce(given: HelloOverrides) {
    try {
      const session = await this.open()
      const fault = await this.join(session, given)
      if (fault === null) return { session, fault }
      session.cut()
      return { session: undefined, fault }
    } catch (error) {
      if (error instanceof NoConnection) return { session: undefined, fault: error.message }
      throw error
    }
  }

  /** Sends a heartbeat; returns the fault of the answer. */
  async beat(session: ServerSession, given: HeartbeatOverrides = {}) {
    const { unit, patienceMs } = this.#options
    const frame = { ...unit.heartbeat(), ...given }
    session.sendText(JSON.stringify(frame))
    const answer = await session.next('heartbeatAck', patienceMs)
    if (!answer) return session.isOpen ? 'It did not answer.' : 'It closed the connection.'
    return unit.isSignedClock(session, { ...answer, requestedAt: frame.at }) ? null : forgedClock
  }

  /** What the server does wrong when it gets this frame first on a connection, which it must refuse. */
  async faultOfRefusal(accepting: 'enrolled' | 'welcome' | 'heartbeatAck', frameFor: (nonce: string) => object) {
    const session = await this.open()
    session.sendText(JSON.stringify(frameFor(session.nonce)))
    const fault = await session.faultOfRefusal(accepting)
    session.cut()
    return fault
  }
}

const forgedClock = 'The signature of its clock is not valid.'
