import { limits, type ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { WebSocket } from 'ws'
import { timeSlices } from '../time-slices.ts'

/** More than a configuration's chunk with the acknowledgements, modes and commands that may follow it. */
const maxUnsentBytes = 1024 * 1024
/** As long as a unit may be silent. */
const stalledMs = 3 * limits.heartbeatSeconds * 1_000

/**
 * The frames sent to one unit. A unit that does not read them is disconnected, so that they do not fill the memory: it gets
 * what it missed when it connects again.
 */
export class OutgoingFrames {
  readonly #socket: WebSocket
  #unsent = 0
  /** When the socket last took a frame, or was given one after it had taken all. */
  #progressAt = performance.now()

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Whether the unit has taken no frame for a minute although there are some. */
  get isStalled() {
    return this.#unsent > 0 && performance.now() - this.#progressAt > stalledMs
  }

  send(frame: ServerFrame) {
    void this.#sent(frame)
  }

  /** Sends each frame when the one before it has left, and makes it only then. Ends with the connection. */
  async sendAll(frames: Iterable<ServerFrame>) {
    const slices = timeSlices()
    for (const frame of frames) {
      if (!(await this.#sent(frame))) return
      await slices.pause()
    }
  }

  /** Resolves to whether the frame has left; false if the connection has ended. */
  #sent(frame: ServerFrame): Promise<boolean> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve(false)
    if (this.#unsent === 0) this.#progressAt = performance.now()
    this.#unsent++
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#socket.send(JSON.stringify(frame), (error) => {
      this.#unsent--
      this.#progressAt = performance.now()
      resolve(!error)
    })
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.#socket.terminate()
    return promise
  }
}
