import { randomUUID } from 'node:crypto'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { Findings } from './findings.ts'
import type { ServerSession } from './server-session.ts'

/** A server has this long to do what it must not do. */
const quietMs = 500

const unreadable = [null, 42, 'a text', { type: 'aRecordOfTheFuture' }, { type: 'door', door: 'front' }, '\0 \ud83d']
const wrongClocks = ['1970-01-01T00:00:00.000Z', '2038-01-19T03:14:08.000Z', '2099-12-31T23:59:59.999Z']

/** `bodies`: usual records where there are none. */
type SentRecords = { seqs: readonly number[]; bodies?: readonly unknown[] | undefined }
type Options = { findings: Findings; patienceMs: number }

/** A log of the unit of the kit, and what the server under test has acknowledged of it. */
export class ConformingLog {
  readonly #findings: Findings
  readonly #patienceMs: number
  readonly #logId = randomUUID()
  #highestSent = 0
  #acknowledged = 0

  constructor({ findings, patienceMs }: Options) {
    this.#findings = findings
    this.#patienceMs = patienceMs
  }

  /** Checks each rule about events that can be seen on one connection. */
  async check(session: ServerSession) {
    const check = async (what: string, work: () => Promise<string | null>) => {
      if (session.isOpen) return this.#findings.check('Events', what, work)
      this.#findings.skip('Events', what, 'the server has closed the connection')
      return false
    }
    await check('acknowledges nothing that has not arrived', async () => {
      const early = await session.next('ack', quietMs)
      return early ? `It acknowledged up to ${early.upTo} before the first record.` : null
    })
    if (
      !(await check('acknowledges records after they arrive', () => this.#acknowledges(session, { seqs: [1, 2, 3] })))
    )
      return this.#findings.skip('Events', 'acknowledges all other records', 'it does not acknowledge the first ones')
    await check('acknowledges records again that it has', () => this.#acknowledges(session, { seqs: [1, 2, 3] }))
    await check('acknowledges several frames that were sent at once, in order', async () => {
      for (const seq of [4, 5, 6, 7]) this.#send(session, { seqs: [seq] })
      return this.#faultUpTo(session, 7)
    })
    await check('acknowledges the records of a frame in another order', () =>
      this.#acknowledges(session, { seqs: [10, 9, 8], upTo: 10 }),
    )
    await check('continues after a gap that a log_gap record reports', () =>
      this.#acknowledges(session, { seqs: [15], bodies: [recordOf({ what: 'log_gap' })] }),
    )
    await check('continues after a gap that no record reports', () => this.#acknowledges(session, { seqs: [18, 19] }))
    await check('acknowledges a record of the gap that arrives late', () =>
      this.#acknowledges(session, { seqs: [17], upTo: 19 }),
    )
    await check('acknowledges records that it cannot read', () =>
      this.#acknowledges(session, { seqs: numbersFrom(20, unreadable.length), bodies: unreadable }),
    )
    const next = 20 + unreadable.length
    for (const [index, at] of wrongClocks.entries()) {
      await check(`acknowledges records of a clock that says ${at.slice(0, 4)}`, () =>
        this.#acknowledges(session, { seqs: [next + index], bodies: [recordOf({ at })] }),
      )
    }
    const full = numbersFrom(next + wrongClocks.length, limits.eventsPerFrame)
    await check(`acknowledges ${limits.eventsPerFrame} records in a frame`, () =>
      this.#acknowledges(session, { seqs: full }),
    )
  }

  /** On a later connection: the server has stored what it acknowledged. */
  async checkResumed(session: ServerSession) {
    await this.#findings.check('Events', 'still has what it acknowledged on an earlier connection', async () => {
      const acknowledged = this.#acknowledged
      this.#send(session, { seqs: [1] })
      const ack = await this.#nextAck(session)
      if (!ack) return 'It did not acknowledge the record that the unit sent again.'
      if (ack.upTo >= acknowledged) return null
      return `It acknowledged up to ${ack.upTo}, but up to ${acknowledged} before: it has not stored what it acknowledged.`
    })
    await this.#findings.check('Events', 'continues after the acknowledged sequence', async () => {
      const next = this.#highestSent + 1
      return this.#acknowledges(session, { seqs: [next] })
    })
  }

  /** `upTo` is the number that the server must acknowledge in the end: usually the last one. */
  #acknowledges(session: ServerSession, { seqs, bodies, upTo = seqs.at(-1) ?? 0 }: SentRecords & { upTo?: number }) {
    this.#send(session, { seqs, bodies })
    return this.#faultUpTo(session, upTo)
  }

  #send(session: ServerSession, { seqs, bodies = [] }: SentRecords) {
    const records = seqs.map((seq, index) => ({ seq, body: index in bodies ? bodies[index] : recordOf({}) }))
    this.#highestSent = Math.max(this.#highestSent, ...seqs)
    session.send({ type: 'events', logId: this.#logId, records })
  }

  /** Reads acknowledgements until the one of `upTo`. */
  async #faultUpTo(session: ServerSession, upTo: number): Promise<string | null> {
    for (;;) {
      const ack = await this.#nextAck(session)
      if (!ack) return session.isOpen ? `It did not acknowledge up to ${upTo}.` : 'It closed the connection.'
      if (ack.upTo > this.#highestSent)
        return `It acknowledged up to ${ack.upTo}, but the last record is ${this.#highestSent}.`
      if (ack.upTo < this.#acknowledged) return `It acknowledged up to ${ack.upTo}, after ${this.#acknowledged}.`
      this.#acknowledged = ack.upTo
      if (ack.upTo === upTo) return null
    }
  }

  #nextAck(session: ServerSession) {
    return session.next('ack', this.#patienceMs, ({ logId }) => logId === this.#logId)
  }
}

function numbersFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => first + index)
}

type Given = { at?: string; what?: Extract<UnitRecord, { type: 'unit' }>['what'] }

function recordOf({ at = new Date().toISOString(), what = 'power_on' }: Given): UnitRecord {
  return { type: 'unit', at, configVersion: null, what, detail: 'Sent by the conformance kit' }
}
