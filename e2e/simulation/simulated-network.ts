import { Agent, type Server } from 'node:http'
import { Duplex } from 'node:stream'
import type { Random } from './random.ts'

type Item = { at: number; deliver: () => void }
/** A listening server, or undefined while there is none. */
type Pick = () => Server | undefined

/** One end of a connection: bytes written here arrive at the other end later, or never. */
class End extends Duplex {
  /** As a socket has it; the gateway counts clients by it. */
  readonly remoteAddress: string
  onWrite: (bytes: Buffer) => void = () => {}
  onEnd: () => void = () => {}
  onDestroy: () => void = () => {}
  #timeoutMs = 0
  #timeout: NodeJS.Timeout | undefined

  constructor(remoteAddress: string) {
    super({ allowHalfOpen: false })
    this.remoteAddress = remoteAddress
    // The close that follows reports the error.
    this.on('error', () => {})
  }

  /** As a socket has it: emits `timeout` when no bytes have passed for this time; 0 for never. */
  setTimeout(ms: number) {
    clearTimeout(this.#timeout)
    this.#timeoutMs = ms
    if (ms > 0) this.#timeout = setTimeout(() => this.emit('timeout'), ms)
  }

  /** Bytes of the other end, or null at their end. */
  arrive(bytes: Buffer | null) {
    if (this.destroyed) return
    this.setTimeout(this.#timeoutMs)
    this.push(bytes)
  }

  override _read() {}

  override _write(bytes: Buffer, _: string, done: () => void) {
    this.setTimeout(this.#timeoutMs)
    this.onWrite(bytes)
    done()
  }

  override _final(done: () => void) {
    this.onEnd()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.setTimeout(0)
    this.onDestroy()
    done(error)
  }
}

/** One direction of a connection: delivers in order, as TCP does. */
class Lane {
  readonly #cable: Cable
  #items: Item[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(cable: Cable) {
    this.#cable = cable
  }

  send(deliver: () => void) {
    const at = Math.max(this.#items.at(-1)?.at ?? 0, Date.now() + this.#cable.delayMs())
    this.#items.push({ at, deliver })
    this.#schedule()
  }

  /** Bytes on their way never arrive. */
  drop() {
    this.#items = []
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  resume() {
    const at = Date.now() + this.#cable.delayMs()
    this.#items = this.#items.map((item) => ({ ...item, at: Math.max(item.at, at) }))
    this.#schedule()
  }

  #schedule() {
    const first = this.#items[0]
    if (this.#timer || !first || this.#cable.isCut) return
    this.#timer = setTimeout(() => this.#deliver(), first.at - Date.now())
  }

  #deliver() {
    this.#timer = undefined
    while (!this.#cable.isCut) {
      const first = this.#items[0]
      if (!first || first.at > Date.now()) break
      this.#items.shift()
      first.deliver()
    }
    this.#schedule()
  }
}

type Connection = { unit: End; server: End | undefined; host: Server | undefined; lanes: { up: Lane; down: Lane } }

/** The cable between one unit and the servers. */
export class Cable {
  /** Nothing passes, and neither end notices. */
  isCut = false
  /** The longest time for one direction; the shortest is a millisecond. */
  maxDelayMs = 15
  readonly #address: string
  readonly #random: Random
  readonly #pick: Pick
  readonly #connections = new Set<Connection>()

  constructor({ address, random, pick }: { address: string; random: Random; pick: Pick }) {
    this.#address = address
    this.#random = random
    this.#pick = pick
  }

  delayMs() {
    return this.#random.between(1, this.maxDelayMs)
  }

  /** Opens the connections of the unit. */
  get agent() {
    return new CableAgent(() => this.#connect())
  }

  /** Nothing passes until `mend`; bytes sent meanwhile arrive then, unless an end has given up. */
  cut() {
    this.isCut = true
  }

  mend() {
    this.isCut = false
    for (const { lanes } of this.#connections) {
      lanes.up.resume()
      lanes.down.resume()
    }
  }

  /** Connections break at both ends, all or those of one server, and bytes on their way are lost. */
  breakConnections(host?: Server) {
    for (const connection of this.#connections) {
      if (host !== undefined && connection.host !== host) continue
      this.#connections.delete(connection)
      breakOff(connection)
    }
  }

  /** The unit has lost its power: the server hears nothing more. */
  unitVanished() {
    for (const { unit, lanes } of this.#connections) {
      lanes.up.drop()
      unit.onDestroy = () => {}
      unit.onWrite = () => {}
      unit.onEnd = () => {}
      unit.destroy()
    }
  }

  /** The host of a server has lost its power: the unit learns of it when it next sends something. */
  serverVanished(host: Server) {
    for (const connection of [...this.#connections].filter((each) => each.host === host)) {
      const { server, unit, lanes } = connection
      for (const lane of [lanes.up, lanes.down]) lane.drop()
      if (server) {
        server.onDestroy = () => {}
        server.onWrite = () => {}
        server.destroy()
      }
      unit.onWrite = () => lanes.up.send(() => lanes.down.send(() => unit.destroy()))
    }
  }

  #connect(): Duplex {
    const unit = new End(this.#address)
    const lanes = { up: new Lane(this), down: new Lane(this) }
    const connection: Connection = { unit, server: undefined, host: undefined, lanes }
    this.#connections.add(connection)
    unit.onWrite = (bytes) => lanes.up.send(() => connection.server?.arrive(bytes))
    unit.onEnd = () => lanes.up.send(() => connection.server?.arrive(null))
    unit.onDestroy = () => {
      lanes.up.send(() => connection.server?.destroy())
      this.#forgetEnded(connection)
    }
    lanes.up.send(() => this.#accept(connection))
    return unit
  }

  #accept(connection: Connection) {
    const { unit, lanes } = connection
    const host = this.#pick()
    if (!host) return lanes.down.send(() => unit.destroy(new Error('connect ECONNREFUSED')))
    const server = new End(this.#address)
    connection.server = server
    connection.host = host
    server.onWrite = (bytes) => lanes.down.send(() => unit.arrive(bytes))
    server.onEnd = () => lanes.down.send(() => unit.arrive(null))
    server.onDestroy = () => {
      lanes.down.send(() => unit.destroy())
      this.#forgetEnded(connection)
    }
    host.emit('connection', server)
  }

  #forgetEnded(connection: Connection) {
    if (connection.unit.destroyed && connection.server?.destroyed) this.#connections.delete(connection)
  }
}

class CableAgent extends Agent {
  readonly #connect: () => Duplex

  constructor(connect: () => Duplex) {
    super()
    this.#connect = connect
  }

  override createConnection() {
    return this.#connect()
  }
}

function breakOff({ unit, server, lanes }: Connection) {
  lanes.up.drop()
  lanes.down.drop()
  for (const end of [unit, server]) {
    if (!end) continue
    end.onDestroy = () => {}
    end.destroy(new Error('read ECONNRESET'))
  }
}
