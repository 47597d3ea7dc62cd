import { randomBytes } from 'node:crypto'
import { units } from '@portcullis/contract/collections/units'
import pg from 'pg'
import pino from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { makeItem } from '../collections/test-items.ts'
import { databaseIn } from '../database/test-engine.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'
import { startCompileJob, treeRetryMs } from './compile-job.ts'
import { compileLock } from './compile-units.ts'

const server = await startTestServer()
afterAll(server.stop)

test('a policy change makes a new version only for the units that it affects', async () => {
  const [touched, other] = [await enrolledUnit(), await enrolledUnit()]
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: touched, unitDoor: 1 } })
  for (const unit of [touched, other]) {
    await expect.poll(() => desired(unit)).toBeGreaterThanOrEqual(1)
  }
  const [before, untouched] = [await desired(touched), await desired(other)]
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: touched, unitDoor: 2 } })
  await expect.poll(() => desired(touched)).toBeGreaterThan(before)
  expect(await desired(other)).toBe(untouched)
})

const otherPieces = JSON.stringify([{ section: 'head', digest: 'other', length: 0 }])

test.each([
  ['another server has stored other pieces meanwhile', sql`unit_config_pieces = ${otherPieces}::jsonb`],
  ['an earlier release has stored the last one', sql`unit_config_body = '{}', unit_config_bytes = null`],
])('a change of the head alone stores the whole again if %s', async (_name, change) => {
  const unit = await enrolledUnit()
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(uncompiledPolicies).toBe(0)
  const before = await desired(unit)
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update unit_config set ${change} where unit_config_unit = ${unit}`)
    await tx.run(sql`delete from unit_config_piece where unit_config_piece_unit = ${unit}`)
    await tx.run(sql`insert into unit_config_piece values (${unit}, 'other', '')`)
  })
  await server.ask('PATCH', `/api/doors/${door._id}`, { body: { heldOpenAfterSeconds: 99 } })
  await expect.poll(() => desired(unit)).toBeGreaterThan(before)
  const stored = sql`select unit_config_hash = encode(sha256(unit_config_text::bytea), 'hex') as "isWhole", unit_config_text as text
    from unit_config join unit_config_whole using (unit_config_unit, unit_config_version)
   where unit_config_unit = ${unit} order by unit_config_version desc limit 1`
  const row = z.object({ isWhole: z.boolean(), text: z.string() })
  const [latest] = await server.database.asSystem((tx) => tx.rows(row, stored))
  expect(latest?.isWhole).toBe(true)
  expect(JSON.parse(latest?.text ?? '')).toMatchObject({ unit, doors: { 1: { heldOpenAfterSeconds: 99 } } })
})

test('a missing piece is stored again, in the same version', async () => {
  const unit = await enrolledUnit()
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(uncompiledPolicies).toBe(0)
  const version = await desired(unit)
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`delete from unit_config_piece where unit_config_piece_unit = ${unit}`)
    await tx.run(sql`update unit_state set unit_state_fault = 'not_compiled' where unit_state_id = ${unit}`)
  })
  await server.ask('PATCH', `/api/doors/${door._id}`, { body: { description: 'By the lift' } })
  await makeItem({ ask: server.ask, collection: 'rules', fields: { effect: 'allow' } })
  await expect.poll(() => faultOf(unit)).toBeNull()
  const whole = sql`select unit_config_text is not null as "isWhole" from unit_config_whole
    where unit_config_unit = ${unit} and unit_config_version = ${version}`
  const isWhole = z.object({ isWhole: z.boolean() })
  expect(await server.database.asSystem((tx) => tx.rows(isWhole, whole))).toEqual([{ isWhole: true }])
  expect(await desired(unit)).toBe(version)
})

test('pieces that are stored are not stored again after a fault', async () => {
  const unit = await enrolledUnit()
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(uncompiledPolicies).toBe(0)
  await refusePieces(unit)
  await changeState(unit, sql`unit_state_fault = 'not_compiled'`)
  await makeItem({ ask: server.ask, collection: 'rules', fields: { effect: 'allow' } })
  await expect.poll(() => faultOf(unit)).toBeNull()
})

test('a first configuration that could not be stored is stored with the next change', async () => {
  const { _id: unit } = await makeItem({ ask: server.ask, collection: 'units' })
  const piecesCanBeStored = await refusePieces(unit)
  await enrol(unit)
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(() => faultOf(unit)).toBe('not_compiled')
  await piecesCanBeStored()
  await server.ask('PATCH', `/api/doors/${door._id}`, { body: { heldOpenAfterSeconds: 99 } })
  await expect.poll(() => desired(unit)).toBe(1)
})

test('the deletion of an account does not stop the compilation for others', async () => {
  const unit = await enrolledUnit()
  const ref = 'soon-gone'
  const account = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref } })
  const connection = await connectTestSocket(server)
  expect(await connection.join(`account:${ref}:*`)).toBe('ok')
  const ask = server.in(ref)
  await ask('PATCH', `/api/accounts/${account._id}`, { body: { name: 'Soon gone' } })
  await expect.poll(() => connection.of(account._id)).toContain('account:save')
  await ask('DELETE', `/api/accounts/${account._id}`)
  // The client receives the deletion, or is disconnected by an earlier check of its room: in both cases it was
  // processed.
  const hasEnded = () => connection.of(account._id).includes('account:remove') || !connection.isConnected()
  await expect.poll(hasEnded).toBe(true)
  connection.close()
  const before = await desired(unit)
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(() => desired(unit)).toBeGreaterThan(before)
})

test('a unit that cannot be compiled is marked, and the others of its tree are still compiled', async () => {
  const [broken, other] = [await enrolledUnit(), await enrolledUnit()]
  const giveDoor = (unit: string) => makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  for (const unit of [broken, other]) await giveDoor(unit)
  for (const unit of [broken, other]) await expect.poll(() => desired(unit)).toBeGreaterThanOrEqual(1)
  const before = await desired(other)
  // The next version does not fit into the column.
  await server.database.asSystem((tx) =>
    tx.run(sql`update unit_config set unit_config_version = 2147483647 where unit_config_unit = ${broken}
      and unit_config_version = (select max(unit_config_version) from unit_config where unit_config_unit = ${broken})`),
  )
  for (const unit of [broken, other]) {
    await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 2 } })
  }
  await expect.poll(() => desired(other)).toBeGreaterThan(before)
  await expect.poll(() => faultOf(broken)).toBe('not_compiled')
  expect(await faultOf(other)).toBeNull()

  await server.database.asSystem((tx) =>
    tx.run(sql`update unit_config set unit_config_version = 9
      where unit_config_unit = ${broken} and unit_config_version = 2147483647`),
  )
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: broken, unitDoor: 3 } })
  await expect.poll(() => faultOf(broken)).toBeNull()
  // The change before may have tried the unit again as soon as it was repaired.
  expect([10, 11]).toContain(await desired(broken))
})

test('a deny rule that cannot be read marks the units of its tree, which keep their configurations, and the explorer answers', async () => {
  const unit = await enrolledUnit()
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(uncompiledPolicies).toBe(0)
  const before = await desired(unit)
  const rule = await makeItem({ ask: server.ask, collection: 'rules', fields: { effect: 'deny' } })
  await makeUnreadable(rule)
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 2 } })
  await expect.poll(() => faultOf(unit)).toBe('not_compiled')
  expect(await desired(unit)).toBe(before)
  expect((await server.ask('GET', `/api/doors/${door._id}/access`)).status).toBe(200)
  await server.database.asSystem((tx) => tx.run(sql`delete from link where link_kind = 'Robot'`))
  await expect.poll(() => faultOf(unit)).toBeNull()
  expect(await desired(unit)).toBe(before + 1)
})

test('a locked controller row does not hold up the marks of the others in its tree, and gets its own later', async () => {
  const [locked, other] = [await enrolledUnit(), await enrolledUnit()]
  const rule = await makeItem({ ask: server.ask, collection: 'rules', fields: { effect: 'deny' } })
  await expect.poll(uncompiledPolicies).toBe(0)
  const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = server.database.asSystem(async (tx) => {
    await tx.run(sql`select from unit_state where unit_state_id = ${locked} for update`)
    isLocked.resolve()
    await isOver.promise
  })
  onTestFinished(async () => {
    isOver.resolve()
    await locking
  })
  await isLocked.promise
  await makeUnreadable(rule)
  await makeItem({ ask: server.ask, collection: 'doors' })
  // The open transaction also holds up the outbox.
  await expect.poll(awaitedPolicies).toBe(1)
  await letPoliciesWait()
  await expect.poll(() => faultOf(other)).toBe('not_compiled')
  expect(await faultOf(locked)).toBeNull()
  isOver.resolve()
  await expect.poll(() => faultOf(locked), { timeout: 60_000 }).toBe('not_compiled')
  expect(await failuresOf(locked)).toBe(1)
  await server.ask('DELETE', `/api/rules/${rule._id}`)
  await expect.poll(() => faultOf(locked)).toBeNull()
})

test('a deny rule that changes so that it can be read is compiled at once, however often compiling has failed', async () => {
  const unit = await enrolledUnit()
  await expect.poll(uncompiledPolicies).toBe(0)
  const rule = await makeItem({ ask: server.ask, collection: 'rules', fields: { effect: 'deny' } })
  await makeUnreadable(rule)
  await expect.poll(() => faultOf(unit)).toBe('not_compiled')
  for (let unitDoor = 1; unitDoor <= 8; unitDoor += 1) {
    await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor } })
  }
  expect(await faultOf(unit)).toBe('not_compiled')
  await server.ask('DELETE', `/api/rules/${rule._id}`)
  await expect.poll(() => faultOf(unit)).toBeNull()
})

test.each([
  [1, 1_000],
  [2, 2_000],
  [4, 8_000],
  [6, 30_000],
  [5_000, 30_000],
])('after %i failures in succession a tree is tried again in %i ms', (failures, delayMs) => {
  expect(treeRetryMs(failures)).toBe(delayMs)
})

test('the log names a stored item that cannot be read, by collection, name and id', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const { database, logins } = server
  const feed = new ChangeFeed({ database, logins })
  const policies = new Policies({ database, feed, numbers: testNumbers() })
  const job = startCompileJob({ database, feed, policies, now: Date.now, log })
  onTestFinished(async () => {
    job.stop()
    policies.stop()
    await feed.stop()
  })
  const { _id } = await makeItem({ ask: server.ask, collection: 'holidays', fields: { name: 'Harbour day' } })
  await database.asSystem((tx) =>
    tx.run(sql`update holiday set holiday_dates = '"tomorrow"'::jsonb where holiday_id = ${_id}`),
  )
  await policies.ofAccount(await server.keyOf(server.account))
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      level: 50,
      collection: 'holidays',
      item: _id,
      name: 'Harbour day',
      msg: 'a stored item cannot be read; save it again',
    },
  ])
})

test('a tree is compiled up to its current policy, also without controllers', async () => {
  await makeItem({ ask: server.ask, collection: 'doors' })
  await expect.poll(uncompiledPolicies).toBe(0)
})

test('§3 controllers whose policy waits too long to be compiled are marked, live, until it is compiled', async () => {
  const [unit, other] = [await enrolledUnit(), await enrolledUnit()]
  const connection = await connectTestSocket(server)
  onTestFinished(() => connection.close())
  expect(await connection.join(`unit:${server.account}:*`)).toBe('ok')
  await expect.poll(uncompiledPolicies).toBe(0)
  await changeState(other, sql`unit_state_fault = 'implausible_version'`)
  const compiling = await blockCompiling()
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(awaitedPolicies).toBe(1)
  expect(await faultOf(unit)).toBeNull()
  await server.database.asSystem((tx) =>
    tx.run(
      sql`update policy set policy_awaited_at = now() - interval '11 seconds' where policy_root = ${compiling.root}`,
    ),
  )
  const sentFault = () => connection.received.findLast(({ body }) => body._id === unit)?.body['fault']
  await expect.poll(() => faultOf(unit)).toBe('behind_policy')
  await expect.poll(sentFault).toBe('behind_policy')
  const ready = z.object({ controllersWithFault: z.int() }).parse((await server.ask('GET', '/health/ready')).json)
  expect(ready.controllersWithFault).toBeGreaterThanOrEqual(2)
  compiling.goOn()
  await expect.poll(() => faultOf(unit)).toBeNull()
  expect(await faultOf(other)).toBe('implausible_version')
  await expect.poll(sentFault).toBeNull()
})

test('a policy that changes again after it was compiled waits from then on', async () => {
  const unit = await enrolledUnit()
  await expect.poll(uncompiledPolicies).toBe(0)
  const compiling = await blockCompiling()
  await server.database.asSystem((tx) =>
    tx.run(sql`update policy set policy_awaited_version = policy_compiled_version,
      policy_awaited_at = now() - interval '1 hour' where policy_root = ${compiling.root}`),
  )
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(awaitedPolicies).toBe(1)
  expect(await faultOf(unit)).toBeNull()
  compiling.goOn()
})

test('a policy that waits too long is compiled although an open transaction holds up the outbox', async () => {
  const unit = await enrolledUnit()
  await expect.poll(uncompiledPolicies).toBe(0)
  const before = await desired(unit)
  const [isOpen, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = server.database.asSystem(async (tx) => {
    await tx.run(sql`select pg_current_xact_id()`)
    isOpen.resolve()
    await isOver.promise
  })
  onTestFinished(async () => {
    isOver.resolve()
    await open
  })
  await isOpen.promise
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect
    .poll(async () => {
      await letPoliciesWait()
      return desired(unit)
    })
    .toBeGreaterThan(before)
})

/** As if their changes had waited too long to be compiled. */
function letPoliciesWait() {
  return server.database.asSystem((tx) =>
    tx.run(sql`update policy set policy_awaited_at = now() - interval '11 seconds'`),
  )
}

/** The database refuses the pieces of the unit until the returned function is called. */
async function refusePieces(unit: string) {
  const owner = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(server.databaseUrl).pathname.slice(1)))
  await owner.connect()
  onTestFinished(async () => {
    await owner.query('alter table unit_config_piece drop constraint if exists refused')
    await owner.end()
  })
  await owner.query(
    `alter table unit_config_piece add constraint refused check (unit_config_piece_unit <> '${unit}') not valid`,
  )
  return () => owner.query('alter table unit_config_piece drop constraint refused')
}

/** Keeps every server from compiling the tree, as one that hangs does. */
async function blockCompiling() {
  const root = await server.keyOf(server.account)
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isBlocked, resolve: blocked } = Promise.withResolvers<void>()
  const blocking = server.database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${compileLock}, ${root})`)
    blocked()
    await isOver
  })
  onTestFinished(async () => {
    goOn()
    await blocking
  })
  await isBlocked
  return { root, goOn }
}

function changeState(unit: string, change: Sql) {
  return server.database.asSystem((tx) => tx.run(sql`update unit_state set ${change} where unit_state_id = ${unit}`))
}

/** How many policies of the file's account wait to be compiled, since less than a minute ago. */
function awaitedPolicies() {
  const awaited = sql`select from policy join account on account_key = policy_root
    where account_ref = ${server.account} and policy_awaited_version > policy_compiled_version
      and policy_awaited_at > now() - interval '1 minute'`
  return server.database.asSystem((tx) => tx.run(awaited))
}

function uncompiledPolicies() {
  const uncompiled = sql`select from policy join account on account_key = policy_root
    where account_ref = ${server.account} and policy_compiled_version < policy_version`
  return server.database.asSystem((tx) => tx.run(uncompiled))
}

/** As a newer server may have stored it. */
async function makeUnreadable({ _id }: { _id: string }) {
  const change = { account: await server.keyOf(server.account), collection: 'rules', item: _id } as const
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select rule_account, rule_id, 'who', 'Robot', gen_random_uuid() from rule where rule_id = ${_id}`)
    await recordChanges(tx, [{ ...change, action: 'save', isPolicy: true }])
  })
}

function failuresOf(unit: string) {
  const failures = sql`select from event where event_unit = ${unit} and event_type = 'unit.sync_failed'`
  return server.database.asSystem((tx) => tx.run(failures))
}

async function faultOf(unit: string) {
  return (await server.client.of(units).get(unit)).fault
}

async function enrolledUnit() {
  const { _id } = await makeItem({ ask: server.ask, collection: 'units' })
  await enrol(_id)
  return _id
}

/** From then on, configurations are compiled for the unit. */
function enrol(unit: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      values (${unit}, ${randomBytes(32)}, ${randomBytes(32)})`),
  )
}

async function desired(unit: string) {
  return (await server.client.of(units).get(unit)).desiredVersion ?? 0
}
