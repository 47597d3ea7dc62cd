import type { Agent } from 'node:http'
import { subprotocol, type ServerFrame, serverFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { highestDoorNumber } from '@portcullis/contract/unit-capacity'
import { WebSocket } from 'ws'
import { z } from 'zod'

/** The faults of a unit and its network that tests and the demonstration can simulate. */
export type Faults = {
  /** The network cable is out. */
  offline: boolean
  /** Every frame takes this long, in both directions. */
  slowMs: number
  /** Event frames are sent twice. */
  duplicate: boolean
  /** The records of a frame are in random order. */
  reordered: boolean
  /** The share of frames that get lost, in both directions. Each ends the connection, as TCP loses only the last ones. */
  lossPercent: number
  /** Records are written in a form that the server cannot read. */
  unreadable: boolean
  /** How far the unit's clock is ahead. */
  clockOffsetMs: number
  /** `full`: refuses every new configuration; `stuck`: never finishes applying one. */
  memory: 'works' | 'full' | 'stuck'
  /** Its disk refuses to write. */
  diskFails: boolean
  /** Its housing is open. */
  tampered: boolean
  /** The mains supply has failed. */
  onBattery: boolean
  /** The most doors, credentials, schedules and unacknowledged events for which it has room. */
  maxDoors: number
  maxCredentials: number
  maxSchedules: number
  maxEvents: number
}
export const noFaults: Faults = {
  offline: false,
  slowMs: 0,
  duplicate: false,
  reordered: false,
  lossPercent: 0,
  unreadable: false,
  clockOffsetMs: 0,
  memory: 'works',
  diskFails: false,
  tampered: false,
  onBattery: false,
  maxDoors: highestDoorNumber,
  maxCredentials: 100_000,
  maxSchedules: 1_000,
  maxEvents: 100_000,
}

export type LinkOptions = {
  /** Address of the gateway, such as `wss://server/units`. */
  url: string
  /** Opens the connections, such as through a proxy. */
  agent?: Agent | undefined
  /** At least 0, below 1: decides which frames are lost, and how long the unit waits for its next attempt. */
  random?: (() => number) | undefined
  faults: () => Faults
  onFrame: (frame: ServerFrame) => void
  onDisconnect: () => void
  /** Receives why the unit is not connected, once for all attempts that fail for the same reason. */
  onFailure: (reason: string) => void
}

/** The reason while the fault `offline` is set. */
export const unplugged = 'The network cable is unplugged.'

/** A server that has not welcomed the unit by then is gone, such as a machine without power, which closes no connection. */
const welcomeMs = 30_000
const backOff = { firstMs: 250, maxMs: 10_000 } as const

/** The unit's one connection: reconnects by itself, with a jittered backoff that starts again once the server has welcomed it. */
export class UnitLink {
  readonly #options: LinkOptions
  readonly #random: () => number
  #socket: WebSocket | undefined
  #retry: NodeJS.Timeout | undefined
  #welcome: NodeJS.Timeout | undefined
  #attempts = 0
  #welcomes = 0
  #isStopped = true
  #lastHeard = 0
  /** Why the current connection ends, as far as it is known; null if the unit itself ends it. */
  #reason: string | null | undefined
  #failure: string | undefined

  constructor(options: LinkOptions) {
    this.#options = options
    this.#random = options.random ?? Math.random
  }

  /** When the server was last received, in milliseconds of the monotonic clock. */
  get lastReceivedAt() {
    return this.#lastHeard
  }

  /** Why the unit is not connected; undefined while it is, and before an attempt has failed. */
  get failure() {
    return this.#failure
  }

  /** How many connections the server has welcomed since the power is on. */
  get welcomes() {
    return this.#welcomes
  }

  start() {
    this.#isStopped = false
    this.#connect()
  }

  stop() {
    this.#isStopped = true
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.cut()
  }

  /** Ends the connection abruptly, like a network failure; the unit reconnects unless stopped or offline. */
  cut(reason?: string) {
    if (this.#reason === undefined) this.#reason = reason ?? null
    this.#socket?.terminate()
  }

  /** The unit has failed at its own part, such as its disk: it connects again after the longest wait. */
  cutForLong() {
    this.#attempts = Infinity
    this.cut()
  }

  /** The server has refused the unit, and closes the connection. */
  refused(reason: string) {
    this.#reason ??= reason
    this.#fail(reason)
  }

  /** The network may be back: no need to wait for the next attempt. */
  hurry() {
    this.#attempts = 0
    if (this.#retry) this.#connect()
  }

  /** The server has welcomed the unit. */
  settled() {
    this.#welcomes++
    this.#failure = undefined
    this.#attempts = 0
    clearTimeout(this.#welcome)
  }

  send(frame: UnitFrame) {
    const socket = this.#socket
    const { slowMs, duplicate, reordered } = this.#options.faults()
    const text = JSON.stringify(reordered && frame.type === 'events' ? this.#shuffled(frame) : frame)
    const times = duplicate && frame.type === 'events' ? 2 : 1
    const sendNow = () => {
      if (socket?.readyState !== WebSocket.OPEN || this.#losesFrame()) return
      for (let time = 0; time < times; time++) socket.send(text)
    }
    if (slowMs > 0) setTimeout(sendNow, slowMs)
    else sendNow()
  }

  #shuffled(frame: Extract<UnitFrame, { type: 'events' }>) {
    const drawn = frame.records.map((record) => ({ record, draw: this.#random() }))
    return { ...frame, records: drawn.toSorted((one, other) => one.draw - other.draw).map(({ record }) => record) }
  }

  /** Whether a simulated loss has ended the connection instead of passing a frame on. */
  #losesFrame() {
    const isLost = this.#random() * 100 < this.#options.faults().lossPercent
    if (isLost) this.cut('A message was lost, and the connection with it.')
    return isLost
  }

  #connect() {
    clearTimeout(this.#retry)
    this.#retry = undefined
    if (this.#isStopped || this.#socket) return
    if (this.#options.faults().offline) {
      this.#fail(unplugged)
      return this.#connectLater()
    }
    this.#reason = undefined
    const { url, agent } = this.#options
    const socket = new WebSocket(url, subprotocol, { handshakeTimeout: 10_000, perMessageDeflate: false, agent })
    this.#socket = socket
    this.#welcome = setTimeout(() => this.cut(`${url} does not answer.`), welcomeMs)
    this.#lastHeard = performance.now()
    socket.on('message', (data) => this.#receive(socket, Buffer.isBuffer(data) ? data.toString() : ''))
    socket.on('error', (error) => {
      if (this.#reason === undefined) this.#reason = sentenceOn(url, error)
    })
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      clearTimeout(this.#welcome)
      this.#options.onDisconnect()
      const reason = this.#reason === undefined ? `${url} has closed the connection.` : this.#reason
      if (reason !== null && !this.#isStopped) this.#fail(reason)
      this.#connectLater()
    })
  }

  #fail(reason: string) {
    if (reason === this.#failure) return
    this.#failure = reason
    this.#options.onFailure(reason)
  }

  #connectLater() {
    if (this.#isStopped) return
    const most = Math.min(backOff.maxMs, backOff.firstMs * 2 ** this.#attempts)
    this.#attempts++
    this.#retry = setTimeout(() => this.#connect(), most / 2 + (this.#random() * most) / 2)
  }

  #receive(socket: WebSocket, text: string) {
    const frame = frameFrom(text)
    // A server without this subprotocol is not a Portcullis server.
    if (!frame) return this.cut(`${this.#options.url} is not the address of a Portcullis server.`)
    if (frame === 'unknown') return
    const deliver = () => {
      if (this.#socket !== socket || this.#isStopped || this.#losesFrame()) return
      this.#lastHeard = performance.now()
      this.#options.onFrame(frame)
    }
    const { slowMs } = this.#options.faults()
    if (slowMs > 0) setTimeout(deliver, slowMs)
    else deliver()
  }
}

/** In words for the errors that a wrong address or a stopped server causes. */
function sentenceOn(url: string, error: Error) {
  const [, status] = /^Unexpected server response: (\d+)$/.exec(error.message) ?? []
  if (status !== undefined) return sentenceOnStatus(url, Number(status))
  const code = 'code' in error ? String(error.code) : ''
  return `${url}: ${failures[code] ?? `${error.message || code}.`}`
}

/** A server that is overloaded, or behind a proxy and stopped, answers with such a status too. */
function sentenceOnStatus(url: string, status: number) {
  if (status === 429 || status >= 500)
    return `${url}: the server answers with status ${status}, and may be overloaded or stopped.`
  return `${url} is not the address of a Portcullis server: it answers with status ${status}.`
}

const failures: Record<string, string> = {
  ECONNREFUSED: 'no server answers at this address. Check that it is running.',
  ECONNRESET: 'the connection was interrupted.',
  ENOTFOUND: 'there is no such host name.',
  EAI_AGAIN: 'the host name could not be looked up.',
  EHOSTUNREACH: 'the network does not reach this address.',
  ETIMEDOUT: 'no answer.',
}

const typed = z.object({ type: z.string() })
const knownTypes: ReadonlySet<string> = new Set(serverFrame.options.flatMap(({ shape }) => [...shape.type.values]))

/** Frames of types that a later server may send are ignored. */
function frameFrom(text: string) {
  try {
    const frame: unknown = JSON.parse(text)
    const read = serverFrame.safeParse(frame)
    if (read.success) return read.data
    const { type } = typed.parse(frame)
    return knownTypes.has(type) ? undefined : 'unknown'
  } catch {
    return undefined
  }
}
