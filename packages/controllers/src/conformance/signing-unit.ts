import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import {
  blocklistText,
  clockText,
  interlockText,
  doorCommandText,
  enrolText,
  helloText,
  modeOfDoorText,
  passagesText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import { ConfigReceiver, type Received } from '../config-receiver.ts'
import { generateKeys, isSigned, signText } from '../keys.ts'
import type { AppliedConfig } from '../unit-store.ts'
import type { ServerSession } from './server-session.ts'

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>
/** `isForged`: signed with another key than that of the unit. */
type Signing = { nonce: string; isForged?: boolean }
type Hello = Signing & { unit?: string; highestVersion?: number; applied?: null }
/** A time that the server signed for the hello or heartbeat of `requestedAt`. */
type SignedClock = { requestedAt: string; at: string; signature: string }

/** The unit of the kit: signs its frames, and checks what the server under test has signed. */
export class SigningUnit {
  readonly #keys = generateKeys()
  readonly #forger = generateKeys()
  readonly #serial: string
  #enrolled: FrameOf<'enrolled'> | undefined
  #highestVersion = 0
  #applied: (AppliedConfig & { bytes: Uint8Array }) | undefined

  constructor(serial: string) {
    this.#serial = serial
  }

  get id() {
    return this.#enrolled?.unit ?? ''
  }

  /** The version and hash of the configuration that it applies. */
  get applied() {
    return this.#applied ? { version: this.#applied.version, hash: this.#applied.hash } : null
  }

  /** `isOther`: with another key, and signed with it. */
  enrol({ nonce, code, isForged, isOther }: Signing & { code: string; isOther?: boolean }): UnitFrame {
    const own = isOther ? this.#forger : this.#keys
    const signer = isForged ? this.#forger : own
    const signature = signText(signer.privateKey, enrolText({ nonce, code, serial: this.#serial }))
    return { type: 'enrol', code, serial: this.#serial, firmware: 'conform-1', publicKey: own.publicKey, signature }
  }

  trust(enrolled: FrameOf<'enrolled'>) {
    this.#enrolled = enrolled
  }

  /** With a nonce of its own, over which the server signs on this connection. */
  hello({ nonce, isForged, unit = this.id, ...given }: Hello): Extract<UnitFrame, { type: 'hello' }> {
    const signer = isForged ? this.#forger : this.#keys
    return {
      type: 'hello',
      unit,
      serial: this.#serial,
      firmware: 'conform-1',
      signature: signText(signer.privateKey, helloText({ nonce, unit })),
      nonce: randomBytes(32).toString('base64'),
      applied: this.applied,
      highestVersion: this.#highestVersion,
      deltas: true,
      blocked: [],
      at: new Date().toISOString(),
      ...given,
    }
  }

  heartbeat(given: { at?: string; request?: string } = {}): UnitFrame & { at: string } {
    return { type: 'heartbeat', at: new Date().toISOString(), pendingEvents: 0, applied: this.applied, ...given }
  }

  isSignedClock({ unitNonce: nonce }: ServerSession, { requestedAt, at, signature }: SignedClock) {
    return this.#isServers(clockText({ unit: this.id, nonce, requestedAt, at }), signature)
  }

  isSignedMode(mode: FrameOf<'doorMode'>) {
    return this.#isServers(modeOfDoorText({ unit: this.id, ...mode }), mode.doorSignature)
  }

  isSignedCommand({ unitNonce: nonce }: ServerSession, command: FrameOf<'command'>) {
    return this.#isServers(doorCommandText({ unit: this.id, nonce, ...command }), command.doorSignature)
  }

  arePassagesSigned({ unitNonce: nonce }: ServerSession, frame: FrameOf<'passages'>) {
    return this.#isServers(passagesText({ unit: this.id, nonce, ...frame }), frame.signature)
  }

  /** Asks whether door 1 may be released. Returns the fault of the answer, or null. */
  async askInterlock(session: ServerSession, ms: number) {
    const id = randomUUID()
    session.send({ type: 'interlockRequest', id, door: 1 })
    const answer = await session.next('interlockAnswer', ms, (frame) => frame.id === id)
    session.send({ type: 'interlockState', doors: [{ door: 1, isSecure: true }] })
    if (!answer) return 'It did not answer.'
    const text = interlockText({ unit: this.id, nonce: session.unitNonce, ...answer })
    return this.#isServers(text, answer.signature) ? null : 'The signature is not valid.'
  }

  isBlocklistSigned({ unitNonce: nonce }: ServerSession, frame: FrameOf<'blocklist'>) {
    return this.#isServers(blocklistText({ unit: this.id, nonce, ...frame }), frame.signature)
  }

  /**
   * Receives the next configuration of the connection, and answers the server. Undefined if none comes in time;
   * `base` is that of the frame.
   */
  async receiveConfig(session: ServerSession, ms: number): Promise<(Received & { base: number | null }) | undefined> {
    const config = await session.next('config', ms)
    if (!config) return undefined
    const receiver = new ConfigReceiver()
    receiver.begin(config)
    for (;;) {
      const chunk = await session.next('configChunk', ms, ({ version }) => version === config.version)
      if (!chunk) return { outcome: 'more', base: config.base }
      const received = receiver.add(chunk, {
        unit: this.id,
        serverKeys: this.#enrolled ? [this.#enrolled.serverKey] : [],
        highestVersion: this.#highestVersion,
        applied: this.#applied,
      })
      if (received.outcome === 'more') continue
      this.#answer(session, received)
      return { ...received, base: config.base }
    }
  }

  #answer(session: ServerSession, received: Received) {
    if (received.outcome === 'accepted') {
      this.#applied = { ...received.applied, bytes: received.bytes }
      this.#highestVersion = received.applied.version
    }
    if (received.outcome === 'rejected')
      return session.send({ type: 'configRejected', version: received.version, reason: received.reason })
    if (this.applied) session.send({ type: 'configApplied', ...this.applied })
  }

  #isServers(text: string, signature: string) {
    return isSigned({ publicKey: this.#enrolled?.serverKey ?? '', text, signature })
  }
}
