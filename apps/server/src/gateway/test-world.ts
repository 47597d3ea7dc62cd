import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  subprotocol,
  type ServerFrame,
  serverFrame,
  type UnitFrame,
  unitsPath,
} from '@portcullis/contract/unit-protocol/frames'
import { helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, signText } from '@portcullis/controllers/keys'
import { VirtualUnit, type VirtualUnitOptions } from '@portcullis/controllers/virtual-unit'
import pino from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { expect, vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { Database } from '../database/database.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { startCompileJob } from '../desired/compile-job.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { issueEnrolmentCode } from '../units/enrol.ts'
import { attachUnits } from './gateway.ts'
import { serverKeysFrom } from './server-keys.ts'

const log = pino({ level: 'silent' })

/** One account with a site, a unit with a door, and Nomsa, whose card 4711 a rule admits. */
export const ids = {
  account: uuidv7(),
  site: uuidv7(),
  unit: uuidv7(),
  door: uuidv7(),
  nomsa: uuidv7(),
  card: uuidv7(),
  rule: uuidv7(),
}
export const serial = 'PC-1'
export const nomsasCard = { door: 1, kind: 'card', number: '4711', direction: 'entry' } as const

/** The nonce of raw peers. */
export const ownNonce = Buffer.alloc(32).toString('base64')

/** Its own database, with as many servers on it as a test starts, and real units. */
export async function gatewayWorld() {
  const { logins, drop } = await createTestDatabase()
  const database = new Database({ logins, connections: 8 })
  const dir = await mkdtemp(join(tmpdir(), 'gateway-'))
  const ends: (() => Promise<unknown>)[] = []
  const accountKey = await furnish(database)

  return {
    database,
    logins,
    accountKey,
    startServer,
    startUnit,
    enrolledUnit,
    workingUnit,
    withNewKey,
    peer,
    code: () => database.asSystem((tx) => issueEnrolmentCode(tx, ids.unit).then(({ code }) => code)),
    run: (query: Sql) => database.asSystem((tx) => tx.run(query)),
    rows: <S extends z.ZodType>(schema: S, query: Sql) => database.asSystem((tx) => tx.rows(schema, query)),
    /** A change of the policy, as the generic calls make it. */
    changePolicy: (change: Sql) =>
      database.asSystem(async (tx) => {
        await tx.run(sql`update policy set policy_version = policy_version + 1 where policy_root = ${accountKey}`)
        await tx.run(change)
        // Names every item that a test changes.
        await tx.run(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
          select ${accountKey}::int, collection, item, 'save', true
            from (select 'rules' as collection, rule_id as item from rule
                  union all select 'units', unit_id from unit union all select 'schedules', schedule_id from schedule
                  union all select 'doors', door_id from door
                  union all select 'doors', free_port_door from free_port where free_port_door is not null
                  union all select 'users', membership_user from membership
                  union all select 'credentials', credential_id from credential) changed`)
      }),
    events: () => database.asSystem((tx) => tx.rows(eventRow, eventQuery)),
    unitState: readState,
    async close() {
      for (const end of ends.toReversed()) await end()
      await database.close()
      await drop()
      await rm(dir, { recursive: true })
    },
  }

  async function readState() {
    const [state] = await database.asSystem((tx) => tx.rows(stateRow, stateQuery))
    return state
  }

  async function startServer({
    trustedProxies = [],
    peerAddress,
    secretKey = Buffer.from('the secret of the installation'),
    port: fixedPort = 0,
  }: {
    trustedProxies?: string[]
    /** Clients seem to connect from there. */
    peerAddress?: string
    secretKey?: Uint8Array
    port?: number
  } = {}) {
    const server = createServer()
    if (peerAddress !== undefined) {
      server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: peerAddress }))
    }
    const feed = new ChangeFeed({ database, logins })
    await feed.start()
    const policies = new Policies({ database, feed, numbers: testNumbers() })
    const compileJob = startCompileJob({ database, feed, policies, now: Date.now, log })
    const gateway = await attachUnits({
      server,
      database,
      logins,
      feed,
      policies,
      trustedProxies,
      unencryptedUnits: 'off',
      confirmKey: async () => {},
      onOtherKey: () => {},
      log,
      now: Date.now,
      serverKeys: serverKeysFrom(secretKey),
      compile: (enrolled) => compileJob.compile(enrolled),
      // No operator answers.
      storeRequest: async () => 'raised',
    })
    server.listen(fixedPort, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    let isStopped = false
    const stop = async () => {
      if (isStopped) return
      isStopped = true
      await gateway.close()
      compileJob.stop()
      policies.stop()
      await feed.stop()
      server.close()
      server.closeAllConnections()
    }
    ends.push(stop)
    return { port, url: `ws://127.0.0.1:${port}${unitsPath}`, feed, stop }
  }

  async function startUnit(url: string, options: Pick<VirtualUnitOptions, 'faults' | 'random'> = {}) {
    const unit = new VirtualUnit({
      dir: join(dir, uuidv7()),
      serial,
      model: 'V2',
      url,
      pace: { openAfterMs: 1, closeAfterMs: 1 },
      ...options,
    })
    await unit.start()
    ends.push(() => unit.stop())
    return unit
  }

  async function enrolledUnit(url: string, options?: Parameters<typeof startUnit>[1]) {
    const unit = await startUnit(url, options)
    await unit.enrol(await database.asSystem((tx) => issueEnrolmentCode(tx, ids.unit).then(({ code }) => code)))
    return unit
  }

  /** A unit that has applied its first configuration. */
  async function workingUnit(url: string) {
    const unit = await enrolledUnit(url)
    await vi.waitFor(async () => expect(await readState()).toMatchObject({ status: 'online', appliedVersion: 1 }), {
      timeout: 120_000,
    })
    return unit
  }

  /** Gives the unit another key; `greet` connects as a unit with that key. */
  async function withNewKey() {
    const keys = generateKeys()
    await database.asSystem((tx) =>
      tx.run(sql`update unit_secret set unit_secret_public_key = ${Buffer.from(keys.publicKey, 'base64')}`),
    )
    return {
      async greet(place: string, { highestVersion = 1, at = new Date().toISOString() } = {}) {
        const greeting = await peer(place)
        const signature = signText(keys.privateKey, helloText({ nonce: greeting.nonce(), unit: ids.unit }))
        const hello = { type: 'hello', unit: ids.unit, serial, signature, nonce: ownNonce }
        greeting.send({ ...hello, applied: null, highestVersion, at })
        return greeting
      },
    }
  }

  /** A raw peer that sends the frames of a test. */
  async function peer(url: string, headers: Record<string, string> = {}) {
    const socket = new WebSocket(url, subprotocol, { headers })
    const received: ServerFrame[] = []
    socket.on('message', (data) => received.push(serverFrame.parse(JSON.parse(textOf(data)))))
    await once(socket, 'message')
    ends.push(async () => socket.terminate())
    return {
      socket,
      received,
      send: (frame: UnitFrame | object) => socket.send(JSON.stringify(frame)),
      nonce: () => received.flatMap((frame) => (frame.type === 'challenge' ? [frame.nonce] : []))[0] ?? '',
      refusal: async () => {
        if (socket.readyState !== WebSocket.CLOSED) await Promise.race([once(socket, 'close'), delay(15_000)])
        return received.find(isRefusal)
      },
    }
  }
}

export type GatewayWorld = Awaited<ReturnType<typeof gatewayWorld>>

async function furnish(database: Database) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`insert into account (account_id, account_ref, account_name, account_root, account_default_time_zone)
      values (${ids.account}, 'acme', 'Acme', 0, 'Europe/London')`)
    const [row] = await tx.rows(z.object({ key: z.int() }), sql`select account_key as key from account`)
    const key = row?.key ?? 0
    await tx.run(sql`insert into site (site_id, site_account, site_name, site_time_zone)
      values (${ids.site}, ${key}, 'Cold Store', 'Europe/London')`)
    await tx.run(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
      values (${ids.unit}, ${key}, 'Front controller', ${serial}, ${ids.site})`)
    await tx.run(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_enabled,
        door_relock_after_seconds, door_held_open_after_seconds, door_directions)
      values (${ids.door}, ${key}, 'Loading Bay 2', ${ids.site}, ${ids.unit}, 1, true, 5, 30, '{"entry":true,"exit":true}')`)
    await tx.run(
      sql`insert into person (person_id, person_home, person_name) values (${ids.nomsa}, ${key}, 'Nomsa Dlamini')`,
    )
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_title)
      values (${ids.nomsa}, ${key}, 'Packer')`)
    await tx.run(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
        credential_user, credential_status)
      values (${ids.card}, ${key}, 'card', '4711', ${ids.nomsa}, 'active')`)
    await tx.run(sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
      values (${ids.rule}, ${key}, 'Packers', 'allow', 'both', true)`)
    await tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      values (${key}, ${ids.rule}, 'who', 'User', ${ids.nomsa}), (${key}, ${ids.rule}, 'where', 'Door', ${ids.door})`)
    return key
  })
}

function isRefusal(frame: ServerFrame) {
  return frame.type === 'refused'
}

function textOf(data: RawData) {
  return Buffer.isBuffer(data) ? data.toString() : ''
}

const eventRow = z.object({
  type: z.string(),
  severity: z.string(),
  door: z.string().nullable(),
  user: z.string().nullable(),
  credential: z.string().nullable(),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  reasons: z.array(z.object({ step: z.string(), outcome: z.string(), reason: z.string().optional() })),
  occurredAt: z.string(),
  receivedAt: z.string(),
  backfilled: z.boolean(),
  policyVersion: z.number().nullable(),
  log: z.string().nullable(),
  seq: z.number().nullable(),
  data: z.looseObject({ names: z.record(z.string(), z.string().nullable()) }),
})

const eventQuery = sql`select event_type as type, event_severity as severity, event_door as door, event_user as user,
    event_credential as credential, event_outcome as outcome, event_reason as reason, event_reasons as reasons, event_occurred_at as "occurredAt",
    event_received_at as "receivedAt", event_backfilled as backfilled, event_policy_version as "policyVersion",
    event_log as log, event_seq as seq, event_data as data
  from event order by event_log nulls first, event_seq, event_id`

const stateRow = z.object({
  status: z.string(),
  desiredVersion: z.int().nullable(),
  appliedVersion: z.int().nullable(),
  rejection: z.string().nullable(),
  fault: z.string().nullable(),
  holder: z.string().nullable(),
  door: z.string(),
})

const stateQuery = sql`select unit_state_status as status, unit_state_desired_version as "desiredVersion",
    unit_state_applied_version as "appliedVersion", unit_state_rejection as rejection, unit_state_fault as fault,
    unit_state_lease_holder as holder, door_state_state as door
  from unit_state, door_state where unit_state_id = ${ids.unit} and door_state_id = ${ids.door}`
