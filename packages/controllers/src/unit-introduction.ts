import { randomBytes } from 'node:crypto'
import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import type { ServerFrame, UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { signText } from './keys.ts'
import type { UnitMemoryFile } from './unit-memory.ts'
import type { UnitStore } from './unit-store.ts'

type Options = {
  store: UnitStore
  memory: Pick<UnitMemoryFile, 'onDisk'>
  capacity: () => UnitCapacity
  /** The unit's own clock, in epoch milliseconds. */
  now: () => number
  send: (frame: UnitFrame) => void
}

/** How a unit proves who it is on each new connection: with its one-time code at first, then with its key. */
export class UnitIntroduction {
  readonly #options: Options
  #enrolment: { code: string; resolve: () => void; reject: (error: Error) => void } | undefined
  #nonce = ''
  #ownNonce: string | undefined
  /** As in the last hello, in JSON. */
  #reportedCapacity: string | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The nonce of this unit's hello on the current connection; undefined before it. */
  get ownNonce() {
    return this.#ownNonce
  }

  /** At the end of the connection, its signatures become invalid. */
  forgetConnection() {
    this.#ownNonce = undefined
  }

  /** Uses the code at the next challenge. Rejects with the server's reason. */
  enrol(code: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enrolment = { code, resolve, reject }
    })
  }

  giveUp(reason: Error) {
    this.#enrolment?.reject(reason)
    this.#enrolment = undefined
  }

  /** Answers the server's challenge; a unit that is not enrolled and has no code does not answer. */
  answer(nonce: string) {
    this.#nonce = nonce
    const { serial, model, publicKey, privateKey, enrolled } = this.#options.store.identity
    const code = this.#enrolment?.code
    if (code !== undefined) {
      const signature = signText(privateKey, enrolText({ nonce, code, serial }))
      return this.#options.send({ type: 'enrol', code, serial, model, firmware, publicKey, signature })
    }
    if (enrolled) this.#hello(enrolled.unit)
  }

  async enrolled({ unit, name, serverKey, secret }: Extract<ServerFrame, { type: 'enrolled' }>) {
    await this.#options.store.saveEnrolment({ unit, name, serverKey, secret })
    this.#enrolment?.resolve()
    this.#enrolment = undefined
    this.#hello(unit)
  }

  /** Whether the capacity has changed since the last hello. */
  hasOtherCapacity() {
    const reported = this.#reportedCapacity
    return reported !== undefined && reported !== JSON.stringify(this.#options.capacity())
  }

  #hello(unit: string) {
    const { store, memory, now, send } = this.#options
    const capacity = this.#options.capacity()
    this.#reportedCapacity = JSON.stringify(capacity)
    const { serial, privateKey } = store.identity
    const nonce = randomBytes(32).toString('base64')
    this.#ownNonce = nonce
    send({
      type: 'hello',
      unit,
      serial,
      firmware,
      signature: signText(privateKey, helloText({ nonce: this.#nonce, unit })),
      nonce,
      applied: appliedMark(store),
      highestVersion: store.highestVersion,
      doorModes: Object.entries(store.doorModesOnDisk).map(([door, { version }]) => ({ door: Number(door), version })),
      passagesUpTo: memory.onDisk.passagesUpTo,
      blocked: [...memory.onDisk.blocked],
      capacity,
      deltas: true,
      at: new Date(now()).toISOString(),
    })
  }
}

/** The version and hash of the configuration by which the unit decides; null without one. */
export function appliedMark({ applied }: UnitStore) {
  return applied ? { version: applied.version, hash: applied.hash } : null
}

const firmware = 'virtual-1'
