import pino from 'pino'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { configFor, noteApplied, noteRejected } from './config-push.ts'
import { testConfig } from './test-config.ts'

const text = '{"name":"Lagerhaus Tür 2 “Süd”"}'

const world = await gatewayWorld()
afterAll(() => world.close())

beforeEach(async () => {
  await world.run(sql`delete from unit_config`)
  await world.run(sql`update unit_state set unit_state_raised_at = null`)
  await storeConfig(ids.unit)
})

/** The units that were compiled, by their accounts. */
const compiled: { account: number; unit: string }[] = []
const options = {
  database: world.database,
  compile: async (input: { account: number; unit: string }) => void compiled.push(input),
  log: pino({ level: 'silent' }),
}
const versionFor = async (unit: string, highestVersion: number) =>
  (await configFor(options, { unit, applied: null, highestVersion, takesDeltas: false }))?.toSend?.version

test('a unit that claims the newest version again and again adds one version', async () => {
  for (let highestVersion = 1; highestVersion <= 10; highestVersion += 1) {
    expect(await versionFor(ids.unit, highestVersion)).toBe(highestVersion + 1)
    await letMinutePass()
  }
  const stored = sql`select unit_config_version as version from unit_config order by 1`
  expect(await world.rows(z.object({ version: z.int() }), stored)).toEqual([{ version: 1 }, { version: 11 }])
})

test('a raised version has the policy version and the text of the one that it repeats', async () => {
  await world.run(sql`update unit_config set unit_config_policy_version = 7`)
  const state = { unit: ids.unit, applied: null, highestVersion: 5, takesDeltas: false }
  const raised = await configFor(options, state)
  const stored = sql`select unit_config_version as version, unit_config_policy_version as "policyVersion",
      unit_config_hash as hash, unit_config_text as text
    from unit_config join unit_config_whole using (unit_config_unit, unit_config_version) order by 1`
  const kept = { policyVersion: 7, hash: 'hash', text }
  expect(await world.rows(z.record(z.string(), z.unknown()), stored)).toEqual([
    { version: 1, ...kept },
    { version: 6, ...kept },
  ])
  expect(raised?.toSend).toMatchObject({ version: 6, policyVersion: 7, base: null, body: Buffer.from(text) })
})

test.each([
  ['this version', { version: 1, hash: 'hash' }, undefined],
  ['this version with another content', { version: 1, hash: 'other' }, text],
  ['none', null, text],
] as const)('a unit that has applied %s gets the text only where it differs', async (_name, applied, expected) => {
  const desired = await configFor(options, { unit: ids.unit, applied, highestVersion: 0, takesDeltas: false })
  expect(desired?.version).toBe(1)
  expect(desired?.toSend?.body.toString()).toBe(expected)
})

test('a unit that claims to be ahead again gets nothing for a minute, and other units get theirs', async () => {
  const other = uuidv7()
  await world.run(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial)
    values (${other}, ${world.accountKey}, 'Back controller', 'PC-2')`)
  await storeConfig(other)
  expect(await versionFor(ids.unit, 5)).toBe(6)
  expect(await versionFor(ids.unit, 6)).toBeUndefined()
  expect(await versionFor(ids.unit, 5)).toBe(6)
  expect(await versionFor(other, 7)).toBe(8)
  await letMinutePass()
  expect(await versionFor(ids.unit, 6)).toBe(7)
})

test('a version is replaced from when its unit has applied a later one', async () => {
  for (const version of [2, 3]) await storeConfig(ids.unit, version)
  await noteApplied(world.database, ids.unit, { version: 2 })
  const replaced = sql`select unit_config_version as version from unit_config
    where unit_config_replaced_at > now() - interval '1 minute' order by 1`
  expect(await world.rows(z.object({ version: z.int() }), replaced)).toEqual([{ version: 1 }])
})

test('a version above the latest one cannot have been applied, and is not noted', async () => {
  await noteApplied(world.database, ids.unit, { version: 1 })
  await noteApplied(world.database, ids.unit, { version: 2_147_483_647 })
  expect(await world.unitState()).toMatchObject({ appliedVersion: 1 })
})

test('a rejection that a unit repeats is one event, and another reason is another event', async () => {
  for (const reason of ['too large', 'too large', 'bad signature', 'bad signature']) {
    await noteRejected(world.database, ids.unit, { type: 'configRejected', version: 1, reason })
  }
  const stored = sql`select event_data->'note'->>'reason' as reason from event where event_type = 'unit.sync_failed'
    order by event_id`
  expect(await world.rows(z.object({ reason: z.string() }), stored)).toEqual([
    { reason: 'too large' },
    { reason: 'bad signature' },
  ])
})

test.each([
  ['', 0],
  [', also if the unit is ahead', 5],
])('a configuration that lacks a piece is not sent, and is compiled again, once%s', async (_name, highestVersion) => {
  compiled.length = 0
  await world.run(sql`delete from unit_config_piece`)
  for (const _time of [1, 2]) expect(await versionFor(ids.unit, highestVersion)).toBeUndefined()
  expect(compiled).toEqual([{ account: world.accountKey, unit: ids.unit }])
  expect(await world.unitState()).toMatchObject({ fault: 'not_compiled' })
  await world.run(sql`update unit_state set unit_state_fault = null`)
})

test('a unit whose configuration is replaced while it is read is not marked', async () => {
  const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await world.run(sql`update unit_state set unit_state_fault = 'implausible_version'`)
  const replacing = world.database.asSystem(async (tx) => {
    await tx.run(sql`select from unit_state for update`)
    isLocked.resolve()
    await isOver.promise
    await tx.run(sql`delete from unit_config`)
  })
  await isLocked.promise
  const reading = versionFor(ids.unit, 0)
  // It has found the version, and waits to clear the fault.
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => world.run(waiting)).toBe(1)
  isOver.resolve()
  await replacing
  expect(await reading).toBeUndefined()
  expect(await world.unitState()).toMatchObject({ fault: null })
})

async function storeConfig(unit: string, version = 1) {
  for (const statement of testConfig({ unit, version, text })) await world.run(statement)
  await world.run(sql`update unit_state set unit_state_desired_version = ${version} where unit_state_id = ${unit}`)
}

function letMinutePass() {
  return world.run(sql`update unit_state set unit_state_raised_at = unit_state_raised_at - interval '61 seconds'`)
}
