import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits, type ServerFrame, subprotocol, unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ConfigError } from '../config-error.ts'
import { closeCodes } from './close-codes.ts'
import { ConnectedUnits } from './connected-units.ts'
import { EndedAccess } from './ended-access.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { InstanceLock } from './instance-lock.ts'
import { unitConnectionPolicy } from './encrypted-units.ts'
import { HandshakeLimits } from './handshake-limits.ts'
import { RefusalEvents, type Refused } from './refusal-events.ts'
import type { ConnectionEvents } from './connection-events.ts'
import { UnitConnection } from './unit-connection.ts'
import { makeClaimInterlock } from './shared-interlocks.ts'
import { clientAddressReader, networkOf } from '../http/client-network.ts'
import { refuseUpgrade } from '../http/guard-upgrades.ts'
import { makeNoteModes } from '../desired/note-modes.ts'
import { EarlierConfigs } from '../ingest/earlier-configs.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import { repeat } from '../repeat.ts'

const renewMs = 3_000
const lookMs = 1_000

/** Two connections fewer than those of the gateway's database. */
const storeTurns = { most: 6, ofKey: Infinity } as const

type OwnDependencies = 'earlierConfigs' | 'endedAccess' | 'claimInterlock' | 'noteModes' | 'storeInTurn'
type AttachUnitsOptions = Omit<GatewayDependencies, OwnDependencies> & {
  server: Server
  trustedProxies: readonly string[]
  /** Whether units may connect over the network without TLS. */
  unencryptedUnits: 'on' | 'off'
  /** Rejects with a ConfigError if the installation has another key than this server. */
  confirmKey: () => Promise<void>
  /** The key was rotated while this server had lost its database session. */
  onOtherKey: (error: ConfigError) => void
}

/** Lets units connect at `/units` of the server's own port. */
export async function attachUnits({
  server,
  trustedProxies,
  unencryptedUnits,
  confirmKey,
  onOtherKey,
  ...options
}: AttachUnitsOptions) {
  const { database, logins, feed, log } = options
  const endedAccess = new EndedAccess(options)
  const earlierConfigs = new EarlierConfigs({ database, log })
  const turns = new FairTurns(storeTurns)
  const dependencies: GatewayDependencies = {
    ...options,
    earlierConfigs,
    endedAccess,
    claimInterlock: makeClaimInterlock(database),
    noteModes: makeNoteModes({ database, log }),
    storeInTurn: (key, store) => turns.take({ key }, store),
  }
  const lock = new InstanceLock({ databaseUrl: logins.system, confirmKey, onOtherKey })
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
  feed.listen('gateway', (changes) => units.received(changes))
  dependencies.policies.onChange((change) => {
    endedAccess.follow(change)
    units.block(change)
  })
  const failure = 'controller housekeeping failed; will retry'
  const renewal = repeat({ everyMs: renewMs, log, failure }, () => units.renew())
  const looking = repeat({ everyMs: lookMs, log, failure }, async () => {
    await units.look()
    if (await refusals.sum()) feed.hint()
  })

  return {
    async close() {
      isClosing = true
      handshakes.close()
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
      onIntroduction: async (frame, check, isOpen) => {
        introduced()
        if (frame.type === 'enrol' && !handshakes.mayEnrol({ network, serial: frame.serial }))
          throw new UnitRefused('too_many_attempts')
        return handshakes.check(network, check, isOpen)
      },
      async onArrival(connection, hello) {
        await handshakes.arrive(hello.unit)
        await units.arrive(connection, hello)
      },
      onClosed: introduced,
      onGone(connection) {
        units.gone(connection)
      },
      onRefused(refusal, { isProven, ...about }) {
        if (!isProven) handshakes.refused({ network, serial: refusal.code === 'bad_code' ? about.serial : undefined })
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
}

function refuse(client: WebSocket, { code, message }: UnitRefused) {
  client.on('error', () => client.terminate())
  client.send(JSON.stringify({ type: 'refused', code, message } satisfies ServerFrame))
  client.close(closeCodes.refused, code)
}
