import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits, type ServerFrame, subprotocol, unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { type WebSocket, WebSocketServer } from 'ws'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { closeCodes } from './close-codes.ts'
import { ConnectedUnits } from './connected-units.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { keyLock } from './key-lock.ts'
import { unitConnectionPolicy } from './encrypted-units.ts'
import { HandshakeLimits } from './handshake-limits.ts'
import { RefusalEvents, type Refused } from './refusal-events.ts'
import { type ConnectionEvents, UnitConnection } from './unit-connection.ts'
import { clientAddressReader, networkOf } from '../http/client-network.ts'
import { refuseUpgrade } from '../http/guard-upgrades.ts'
import { UnitRefused } from '../ingest/refusal.ts'

const renewMs = 3_000
const lookMs = 1_000

type AttachUnitsOptions = GatewayDependencies & {
  server: Server
  trustedProxies: readonly string[]
  /** Whether units may connect over the network without TLS. */
  unencryptedUnits: 'on' | 'off'
}

/** Lets units connect at `/units` of the server's own port. */
export async function attachUnits({ server, trustedProxies, unencryptedUnits, ...dependencies }: AttachUnitsOptions) {
  const { database, logins, feed, log } = dependencies
  const lock = new InstanceLock(logins.system)
  await lock.start()
  const units = new ConnectedUnits({ gateway: dependencies, holder: lock.id })
  const refusals = new RefusalEvents(database)
  const handshakes = new HandshakeLimits()
  const isAccepted = unitConnectionPolicy({ trustedProxies, unencryptedUnits })
  const addressOf = clientAddressReader(trustedProxies)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
  })

  let isClosing = false
  server.on('upgrade', upgrade)
  feed.listen((changes) => units.received(changes))
  const renewal = repeat(renewMs, () => units.renew())
  const looking = repeat(lookMs, async () => {
    await units.look()
    if (await refusals.sum()) feed.hint()
  })

  return {
    async close() {
      isClosing = true
      await Promise.all([renewal.stop(), looking.stop()])
      await units.close()
      for (const client of sockets.clients) client.terminate()
      await lock.stop()
    },
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (request.url?.split('?')[0] !== unitsPath) return
    if (isClosing) return refuseUpgrade(socket, 503, 'The server is stopping; try again in a moment.')
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
    if (!offered.includes(subprotocol)) return refuseUpgrade(socket, 400, `Ask for the subprotocol ${subprotocol}.`)
    const address = addressOf(request)
    sockets.handleUpgrade(request, socket, head, (client) => {
      // Before the challenge, which the unit would answer with its enrolment code.
      if (!isAccepted(request)) {
        const refusal = new UnitRefused('unencrypted')
        report({ refusal, address, serial: undefined })
        return refuse(client, refusal)
      }
      const events = eventsFor(networkOf(address), () => client.terminate())
      void new UnitConnection({ socket: client, address, gateway: dependencies, holder: lock.id, events })
    })
  }

  function eventsFor(network: string, end: () => void): ConnectionEvents {
    const introduced = handshakes.begin(network, end)
    return {
      onIntroduction: async (frame, check) => {
        if (frame.type === 'enrol' && !handshakes.mayEnrol({ network, serial: frame.serial }))
          throw new UnitRefused('too_many_attempts')
        return handshakes.check(network, check)
      },
      async onArrival(connection, hello) {
        await units.arrive(connection, hello)
        introduced()
      },
      onGone(connection) {
        introduced()
        units.gone(connection)
      },
      onRefused(refusal, about) {
        handshakes.refused({ network, serial: refusal.code === 'bad_code' ? about.serial : undefined })
        report({ refusal, ...about })
      },
    }
  }

  function report({ refusal, ...about }: Refused) {
    log.info({ code: refusal.code, ...about }, 'unit connection refused')
    refusals.note({ refusal, ...about }).then(
      (isStored) => (isStored ? feed.hint() : undefined),
      (error: unknown) => log.warn({ err: error }, 'storing a refused connection failed'),
    )
  }

  /** Repeats work, never twice at a time; the database may be unreachable for a while. */
  function repeat(everyMs: number, work: () => Promise<void>) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) => log.warn({ err: error }, 'controller housekeeping failed'))
        .finally(() => {
          running = undefined
        })
    }, everyMs)
    return {
      async stop() {
        clearInterval(timer)
        await running
      },
    }
  }
}

function refuse(client: WebSocket, { code, message }: UnitRefused) {
  client.on('error', () => client.terminate())
  client.send(JSON.stringify({ type: 'refused', code, message } satisfies ServerFrame))
  client.close(closeCodes.refused, code)
}

/**
 * This server as the holder of leases. As long as its process lives, a database session holds a lock under its id,
 * so that another server (or this one, restarted) need not wait for the leases of a dead one to expire.
 */
class InstanceLock {
  readonly id = randomUUID()
  readonly #databaseUrl: string
  #client: pg.Client | undefined
  #isStopped = false

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  async start() {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    client.on('error', () => {})
    await client.connect()
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.id])
    await client.query(`select pg_advisory_lock_shared(${keyLock.sql})`)
    this.#client = client
    client.once('end', () => void this.#again())
  }

  async stop() {
    this.#isStopped = true
    await this.#client?.end().catch(() => {})
  }

  async #again() {
    while (!this.#isStopped) {
      await delay(500)
      if (await this.start().then(yes, no)) return
    }
  }
}

const yes = () => true
const no = () => false
