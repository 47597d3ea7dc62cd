import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventNote } from '@portcullis/contract/event-notes'
import { limits, type ServerFrame, subprotocol, unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { type WebSocket, WebSocketServer } from 'ws'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { closeCodes } from './close-codes.ts'
import { ConnectedUnits } from './connected-units.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { keyLock } from './key-lock.ts'
import { unitConnectionPolicy } from './encrypted-units.ts'
import { HandshakeLimits } from './handshake-limits.ts'
import { type ConnectionEvents, UnitConnection } from './unit-connection.ts'
import type { Database, Transaction } from '../database/database.ts'
import { clientAddressReader, networkOf } from '../http/client-network.ts'
import { refuseUpgrade } from '../http/guard-upgrades.ts'
import { eventRow } from '../ingest/event-row.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { storeEvents } from '../ingest/store-events.ts'

const renewMs = 3_000
const lookMs = 1_000

type AttachUnitsOptions = GatewayParts & {
  server: Server
  trustedProxies: readonly string[]
  /** Whether units may connect over the network without TLS. */
  unencryptedUnits: 'on' | 'off'
}

/** Lets units connect at `/units` of the server's own port. */
export async function attachUnits({ server, trustedProxies, unencryptedUnits, ...parts }: AttachUnitsOptions) {
  const { database, logins, feed, log } = parts
  const lock = new InstanceLock(logins.system)
  await lock.start()
  const units = new ConnectedUnits({ parts, holder: lock.id })
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
  const looking = repeat(lookMs, () => units.look())

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
    const asked = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
    if (!asked.includes(subprotocol)) return refuseUpgrade(socket, 400, `Ask for the subprotocol ${subprotocol}.`)
    const address = addressOf(request)
    sockets.handleUpgrade(request, socket, head, (client) => {
      // Before the challenge, which the unit would answer with its enrolment code.
      if (!isAccepted(request)) {
        const refusal = new UnitRefused('unencrypted')
        report({ refusal, address, serial: undefined })
        return refuse(client, refusal)
      }
      const events = eventsFor(networkOf(address), () => client.terminate())
      void new UnitConnection({ socket: client, address, parts, holder: lock.id, events })
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
        handshakes.refused({ network, serial: about.serial })
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

/** The same network refused for the same reason is one event in this time, with a count. */
const quietMs = 60_000
const mostRemembered = 10_000

type Refused = { refusal: UnitRefused; address: string; serial: string | undefined }

/** Reports units that were refused, to the unit's account, or to the installation's where the unit is unknown. */
class RefusalEvents {
  readonly #database: Database
  readonly #quiet = new Map<string, { until: number; unheard: number }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns whether it stored an event. */
  async note({ refusal, address, serial }: Refused) {
    const key = `${networkOf(address)} ${refusal.code}`
    const now = Date.now()
    const known = this.#quiet.get(key)
    if (known && now < known.until) {
      known.unheard++
      return false
    }
    const [oldest] = this.#quiet.keys()
    if (this.#quiet.size >= mostRemembered && oldest !== undefined) this.#quiet.delete(oldest)
    this.#quiet.set(key, { until: now + quietMs, unheard: 0 })
    const note: EventNote = {
      code: 'connection_refused',
      refusal: refusal.code,
      address,
      serial: serial ?? null,
      repeated: known?.unheard ?? 0,
    }
    await this.#database.asSystem((tx) => store(tx, { unit: refusal.unit, note }))
    return true
  }
}

const placeRow = z.object({ account: z.int(), unit: z.uuid().nullable(), name: z.string().nullable() })

async function store(tx: Transaction, { unit, note }: { unit: string | undefined; note: EventNote }) {
  const place =
    (await tx.first(
      placeRow,
      sql`select unit_account as account, unit_id as unit, unit_name as name from unit where unit_id = ${unit ?? null}`,
    )) ??
    (await tx.first(
      placeRow,
      sql`select account_key as account, null as unit, null as name from account
           where account_parent is null order by account_key limit 1`,
    ))
  if (!place) return
  const { account, unit: known, name } = place
  const occurredAt = new Date().toISOString()
  storeEvents(tx, [
    eventRow({ account, unit: known, type: 'unit.refused', occurredAt, data: { names: { unit: name }, note } }),
  ])
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
