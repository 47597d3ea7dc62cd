import { randomUUID } from 'node:crypto'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { type RejectionCode, rejectionCodeOf } from '@portcullis/contract/unit-protocol/rejection-codes'
import { type UnitRecord, unitRecord } from '@portcullis/contract/unit-protocol/records'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { isSigned } from '../keys.ts'
import type { Findings } from './findings.ts'
import { secret, SigningServer, unit } from './signing-server.ts'
import type { UnitListener, UnitSession } from './unit-session.ts'

/** The person beside the unit under test. */
export type Operator = {
  /** Called whenever the card must be presented at the entry reader of door 1, the same one each time, at most `most` times. */
  onCard?: (card: { nth: number; most: number }) => void
  /** Called before the log is filled with this many commands, each of which opens door 1. */
  onFilling?: (commands: number) => void
}
type Options = {
  listener: UnitListener
  findings: Findings
  code: string
  patienceMs: number
  quietMs: number
  operator?: Operator
}
type Hello = Extract<UnitFrame, { type: 'hello' }>
type Events = Extract<UnitFrame, { type: 'events' }>
type Outcome = Extract<UnitFrame, { type: 'commandResult' }>['outcome']
type Search<R extends UnitRecord> = {
  until: (record: UnitRecord) => record is R
  /** The fault if no such record comes. */
  missing: string
}

/** The unit under test, and what the kit knows of it as its server. `expect…` returns the fault, or null. */
export class UnitUnderTest {
  readonly findings: Findings
  readonly patienceMs: number
  readonly quietMs: number
  readonly operator: Operator
  /** Signs the frames for the unit. */
  server = new SigningServer()
  /** The last one; undefined if the unit did not connect again. */
  hello: Hello | undefined
  /** Of the last configuration that it must apply. */
  version = 0
  /** The first fault of a connection after a cut. */
  reconnectFault: string | null = null
  readonly #listener: UnitListener
  readonly #code: string
  readonly #nonces = new Set<string>()
  readonly #acknowledged = new Map<string, number>()
  #publicKey = ''

  constructor({ listener, findings, code, patienceMs, quietMs, operator = {} }: Options) {
    this.#listener = listener
    this.#code = code
    this.findings = findings
    this.patienceMs = patienceMs
    this.quietMs = quietMs
    this.operator = operator
  }

  async expectEnrolment(session: UnitSession) {
    const frame = await session.next('enrol', this.patienceMs)
    if (!frame) return (await session.next('hello', 0)) ? alreadyEnrolled : 'It sent no enrol frame.'
    if (frame.code !== this.#code) return `It sent the code ${frame.code}.`
    const text = enrolText({ nonce: session.nonce, code: this.#code, serial: frame.serial })
    if (!isSigned({ publicKey: frame.publicKey, text, signature: frame.signature }))
      return 'The signature is not valid.'
    this.#publicKey = frame.publicKey
    session.send({ type: 'enrolled', unit, name: 'Under test', serverKey: this.server.publicKey, secret })
    return null
  }

  /** Welcomes the unit; `beforeWelcome` runs between its hello and the welcome. */
  async expectHello(session: UnitSession, beforeWelcome = async (_session: UnitSession) => {}) {
    const hello = await session.next('hello', this.patienceMs)
    if (!hello) return 'It sent no hello.'
    if (hello.unit !== unit) return `It named the unit ${hello.unit}.`
    const text = helloText({ nonce: session.nonce, unit })
    if (!isSigned({ publicKey: this.#publicKey, text, signature: hello.signature }))
      return 'The signature is not valid.'
    const isRepeated = this.#nonces.has(hello.nonce)
    this.#nonces.add(hello.nonce)
    this.hello = hello
    this.server.unitNonce = hello.nonce
    await beforeWelcome(session)
    session.send(this.server.welcome(hello.at))
    return isRepeated ? 'It repeated the nonce of its last hello.' : null
  }

  /** Cuts the connection. Returns the next one, or undefined if there is none. */
  async reconnect(session: UnitSession, beforeWelcome?: (session: UnitSession) => Promise<void>) {
    this.hello = undefined
    session.cut()
    const next = await this.#listener.next(this.patienceMs)
    const fault = next ? await this.expectHello(next, beforeWelcome) : 'It did not connect again.'
    this.reconnectFault ??= fault
    return next
  }

  async expectHeartbeat(session: UnitSession) {
    const id = randomUUID()
    session.send({ type: 'heartbeatRequest', id })
    const beat = await session.next('heartbeat', this.patienceMs, ({ request }) => request === id)
    if (!beat) return 'It sent no heartbeat that names the request.'
    session.send({ type: 'heartbeatAck', ...this.server.clock(beat.at) })
    return null
  }

  acknowledge(session: UnitSession, { logId, records }: Events) {
    const upTo = records.at(-1)?.seq ?? 0
    this.#acknowledged.set(logId, upTo)
    session.send({ type: 'ack', logId, upTo })
  }

  /**
   * Waits for a record, and acknowledges on the way; records that were acknowledged must not return. `records`: all that
   * have come since.
   */
  async nextRecord<R extends UnitRecord>(session: UnitSession, { until, missing }: Search<R>) {
    const records: Events['records'] = []
    for (;;) {
      const frame = await session.next('events', this.patienceMs)
      if (!frame) return { records, fault: missing }
      const acknowledged = this.#acknowledged.get(frame.logId) ?? 0
      const repeated = frame.records.find(({ seq }) => seq <= acknowledged)
      if (repeated) return { records, fault: `It sent record ${repeated.seq} again after it was acknowledged.` }
      this.acknowledge(session, frame)
      records.push(...frame.records)
      const record = frame.records
        .map(({ body }) => unitRecord.safeParse(body).data)
        .find((one): one is R => one !== undefined && until(one))
      if (record) return { records, record, fault: null }
    }
  }

  /** Returns the hash of the whole configuration. */
  send(session: UnitSession, { hash, frames }: ReturnType<SigningServer['delta']>) {
    for (const frame of frames) session.send(frame)
    return hash
  }

  async expectApplied(session: UnitSession, { version, hash }: { version: number; hash: string }) {
    this.version = version
    const applied = await session.next('configApplied', this.patienceMs, (frame) => frame.version === version)
    if (!applied) return 'It did not confirm the configuration.'
    return applied.hash === hash ? null : 'It confirmed another hash.'
  }

  async expectRejected(session: UnitSession, { version, code }: { version: number; code: RejectionCode }) {
    const rejected = await session.next('configRejected', this.patienceMs, (frame) => frame.version === version)
    if (rejected)
      return rejectionCodeOf(rejected.reason) === code
        ? null
        : `It gave the reason ${rejected.reason} instead of ${code}.`
    const applied = await session.next('configApplied', 0, (frame) => frame.version === version)
    return applied ? 'It applied it.' : 'It did not answer that it rejects it.'
  }

  /** Sends the command. */
  async expectOutcome(session: UnitSession, command: ReturnType<SigningServer['command']>, expected: Outcome) {
    session.send(command)
    const result = await session.next('commandResult', this.patienceMs, ({ id }) => id === command.id)
    if (!result) return 'It did not answer the command.'
    return result.outcome === expected ? null : `It answered ${result.outcome} instead of ${expected}.`
  }
}

const alreadyEnrolled = 'It said hello, so it is enrolled already. Reset it, so that it enrols again.'

/** Finds the record that a command has opened the door. */
export function unlockedBy(command: string) {
  return (record: UnitRecord): record is Extract<UnitRecord, { type: 'door' }> =>
    record.type === 'door' && record.what === 'unlocked_once' && record.command === command
}
