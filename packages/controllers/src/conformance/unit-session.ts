import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  limits,
  type ServerFrame,
  subprotocol,
  type UnitFrame,
  unitFrame,
} from '@portcullis/contract/unit-protocol/frames'
import { type WebSocket, WebSocketServer } from 'ws'
import { FrameQueue } from './frame-queue.ts'

/** Receives the faults of frames, and the records, of all connections. */
type Observer = {
  onInvalid: (fault: string) => void
  onEvents: (events: Extract<UnitFrame, { type: 'events' }>) => void
}

/** One connection of the unit under test. It has received a challenge. */
export class UnitSession {
  readonly nonce = randomBytes(32).toString('base64')
  /** The next frame of a type, also one that has arrived already; undefined if none comes in time. */
  readonly next: FrameQueue<UnitFrame>['next']
  readonly #socket: WebSocket
  readonly #onInvalid: Observer['onInvalid']
  readonly #onEvents: Observer['onEvents']
  readonly #frames = new FrameQueue<UnitFrame>()

  constructor(socket: WebSocket, { onInvalid, onEvents }: Observer) {
    this.#socket = socket
    this.#onInvalid = onInvalid
    this.#onEvents = onEvents
    this.next = this.#frames.next.bind(this.#frames)
    socket.on('message', (data) => this.#receive(Buffer.isBuffer(data) ? data.toString() : ''))
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        onInvalid(`It sent a frame of more than ${limits.frameBytes / 1_024} KiB.`)
    })
    socket.on('close', () => this.#frames.close())
    this.send({ type: 'challenge', nonce: this.nonce, at: new Date().toISOString() })
  }

  get isOpen() {
    return !this.#frames.isClosed
  }

  send(frame: ServerFrame) {
    this.sendText(JSON.stringify(frame))
  }

  /** Also a text that is no frame of this protocol. */
  sendText(text: string) {
    this.#socket.send(text)
  }

  cut() {
    this.#socket.terminate()
  }

  #receive(text: string) {
    const read = unitFrame.safeParse(jsonOf(text))
    if (read.success) {
      if (read.data.type === 'events') this.#onEvents(read.data)
      this.#frames.add(read.data)
    } else
      this.#onInvalid(`${text.slice(0, 80)}: ${read.error.issues[0]?.path.join('.')} ${read.error.issues[0]?.message}`)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Listen = Observer & { host?: string | undefined; port?: number | undefined }
export type UnitListener = Awaited<ReturnType<typeof listenForUnit>>

/** Connections that no check has taken yet. */
const mostArrived = 10

/** Listens for the unit under test; `next` is its next connection. `url` is its address on this machine. */
export async function listenForUnit({ host = '127.0.0.1', port = 0, ...observer }: Listen) {
  const server = new WebSocketServer({
    host,
    port,
    maxPayload: limits.frameBytes,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
  })
  await once(server, 'listening')
  const address = server.address()
  const arrived: UnitSession[] = []
  const waiting: ((session: UnitSession) => void)[] = []
  server.on('connection', (socket) => {
    if (socket.protocol !== subprotocol) {
      observer.onInvalid(`It did not offer the subprotocol ${subprotocol}.`)
      return socket.terminate()
    }
    if (arrived.length >= mostArrived) return socket.terminate()
    const session = new UnitSession(socket, observer)
    const resolve = waiting.shift()
    if (resolve) resolve(session)
    else arrived.push(session)
  })
  return {
    url: `ws://${host === '0.0.0.0' ? '127.0.0.1' : host}:${typeof address === 'object' ? address?.port : port}/units`,
    /** Undefined if the unit does not connect in time. */
    async next(ms: number) {
      const early = arrived.shift()
      if (early) return early
      const { promise, resolve } = Promise.withResolvers<UnitSession | undefined>()
      const take = (session: UnitSession) => {
        clearTimeout(timer)
        resolve(session)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1)
        resolve(undefined)
      }, ms)
      waiting.push(take)
      return promise
    },
    async close() {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}
