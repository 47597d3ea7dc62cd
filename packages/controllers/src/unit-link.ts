import type { Agent } from 'node:http'
import { subprotocol, type ServerFrame, serverFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
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
  /** How far the unit's clock is ahead. */
  clockOffsetMs: number
  /** `full`: refuses every new configuration; `stuck`: never finishes applying one. */
  memory: 'works' | 'full' | 'stuck'
  /** Its housing is open. */
  tampered: boolean
  /** The mains supply has failed. */
  onBattery: boolean
}
export const noFaults: Faults = {
  offline: false,
  slowMs: 0,
  duplicate: false,
  clockOffsetMs: 0,
  memory: 'works',
  tampered: false,
  onBattery: false,
}

export type LinkOptions = {
  /** Address of the gateway, such as `wss://server/units`. */
  url: string
  /** Opens the connections, such as through a proxy. */
  agent?: Agent | undefined
  faults: () => Faults
  onFrame: (frame: ServerFrame) => void
  onDisconnect: () => void
}

/** A server that has not welcomed the unit by then is gone, such as a machine without power, which closes no connection. */
const welcomeMs = 30_000
const backOff = { firstMs: 250, maxMs: 10_000 } as const

/** The unit's one connection: reconnects by itself, with a jittered backoff that starts again once the server has welcomed it. */
export class UnitLink {
  readonly #options: LinkOptions
  #socket: WebSocket | undefined
  #retry: NodeJS.Timeout | undefined
  #welcome: NodeJS.Timeout | undefined
  #attempts = 0
  #isStopped = true
  #lastHeard = 0

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** When the server was last received, in milliseconds of the monotonic clock. */
  get lastReceivedAt() {
    return this.#lastHeard
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
  cut() {
    this.#socket?.terminate()
  }

  /** The network may be back: no need to wait for the next attempt. */
  hurry() {
    this.#attempts = 0
    if (this.#retry) this.#connect()
  }

  /** The server has welcomed the unit. */
  settled() {
    this.#attempts = 0
    clearTimeout(this.#welcome)
  }

  send(frame: UnitFrame) {
    const socket = this.#socket
    const text = JSON.stringify(frame)
    const { slowMs, duplicate } = this.#options.faults()
    const times = duplicate && frame.type === 'events' ? 2 : 1
    const sendNow = () => {
      if (socket?.readyState !== WebSocket.OPEN) return
      for (let time = 0; time < times; time++) socket.send(text)
    }
    if (slowMs > 0) setTimeout(sendNow, slowMs)
    else sendNow()
  }

  #connect() {
    clearTimeout(this.#retry)
    this.#retry = undefined
    if (this.#isStopped || this.#socket) return
    if (this.#options.faults().offline) return this.#connectLater()
    const { url, agent } = this.#options
    const socket = new WebSocket(url, subprotocol, { handshakeTimeout: 10_000, perMessageDeflate: false, agent })
    this.#socket = socket
    this.#welcome = setTimeout(() => socket.terminate(), welcomeMs)
    this.#lastHeard = performance.now()
    socket.on('message', (data) => this.#receive(socket, Buffer.isBuffer(data) ? data.toString() : ''))
    // The close that follows reports the error.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      clearTimeout(this.#welcome)
      this.#options.onDisconnect()
      this.#connectLater()
    })
  }

  #connectLater() {
    if (this.#isStopped) return
    const most = Math.min(backOff.maxMs, backOff.firstMs * 2 ** this.#attempts)
    this.#attempts++
    this.#retry = setTimeout(() => this.#connect(), most / 2 + (Math.random() * most) / 2)
  }

  #receive(socket: WebSocket, text: string) {
    const frame = frameFrom(text)
    // A server without this subprotocol is not a Portcullis server.
    if (!frame) return socket.terminate()
    if (frame === 'unknown') return
    const deliver = () => {
      if (this.#socket !== socket || this.#isStopped) return
      this.#lastHeard = performance.now()
      this.#options.onFrame(frame)
    }
    const { slowMs } = this.#options.faults()
    if (slowMs > 0) setTimeout(deliver, slowMs)
    else deliver()
  }
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
