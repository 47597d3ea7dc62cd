import { type ServerFrame, serverFrame, subprotocol, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { WebSocket } from 'ws'
import { FrameQueue } from './frame-queue.ts'

/** With a refusal, the server closes the connection with this code. */
const refusedCode = 4001

type Open = {
  url: string
  patienceMs: number
  /** Receives the fault of a frame that does not match the schema. */
  onInvalid: (fault: string) => void
}

/** The server cannot be reached, or is no Portcullis server. The message says what to do. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** One connection of the kit, as a unit, to the server under test. */
export class ServerSession {
  /** The next frame of a type, also one that has arrived already; undefined if none comes in time. */
  readonly next: FrameQueue<ServerFrame>['next']
  /** Of the hello on this connection; the server signs over it. */
  unitNonce = ''
  readonly #socket: WebSocket
  readonly #patienceMs: number
  readonly #frames = new FrameQueue<ServerFrame>()
  #nonce = ''
  #closeCode: number | undefined

  private constructor(socket: WebSocket, { patienceMs, onInvalid }: Open) {
    this.#socket = socket
    this.#patienceMs = patienceMs
    this.next = this.#frames.next.bind(this.#frames)
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : ''
      const read = serverFrame.safeParse(jsonOf(text))
      if (read.success) return this.#frames.add(read.data)
      const [issue] = read.error.issues
      onInvalid(`${text.slice(0, 80)}: ${issue?.path.join('.')} ${issue?.message}`)
    })
    socket.on('close', (code) => {
      this.#closeCode = code
      this.#frames.close()
    })
  }

  /** Connects, and waits for the challenge. Rejects with `NoConnection`. */
  static async open(options: Open) {
    const { url, patienceMs } = options
    const socket = new WebSocket(url, subprotocol, { handshakeTimeout: patienceMs, perMessageDeflate: false })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.on('open', resolve)
    socket.on('error', (cause) => reject(new NoConnection(sentenceOn(url, cause), { cause })))
    // Listens from the beginning: the challenge may follow at once.
    const session = new ServerSession(socket, options)
    await promise
    session.#nonce = (await session.next('challenge', patienceMs))?.nonce ?? ''
    return session
  }

  /** Of the server's challenge; empty if none came. */
  get nonce() {
    return this.#nonce
  }

  get isOpen() {
    return !this.#frames.isClosed
  }

  has(type: ServerFrame['type']) {
    return this.#frames.has(type)
  }

  send(frame: UnitFrame) {
    this.sendText(JSON.stringify(frame))
  }

  /** Also a text that is no frame of this protocol. */
  sendText(text: string) {
    // A connection that the server has closed reports it in the checks.
    this.#socket.send(text, () => {})
  }

  cut() {
    this.#socket.terminate()
  }

  closes(ms: number) {
    return this.#frames.closes(ms)
  }

  /** Why this connection was not refused as docs/unit-protocol.md says; null if it was. */
  async faultOfRefusal(accepting: 'enrolled' | 'welcome' | 'heartbeatAck') {
    if (await this.next('refused', this.#patienceMs)) {
      if (!(await this.closes(this.#patienceMs))) return 'It refused, but did not close the connection.'
      if (this.#closeCode === refusedCode) return null
      return `It closed the connection with the code ${this.#closeCode} instead of ${refusedCode}.`
    }
    if (await this.next(accepting, 0)) return 'It accepted it.'
    return this.isOpen ? 'It did not refuse it.' : 'It closed the connection without a refused frame.'
  }
}

function sentenceOn(url: string, { message }: Error) {
  const reason = message === '' ? 'the connection was refused' : message
  return `No Portcullis server answers at ${url} (${reason}). Check the address, and that the server runs and is reachable from here.`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
