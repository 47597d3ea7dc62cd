import pino from 'pino'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies } from '../policy/policies.ts'
import { EarlierConfigs } from './earlier-configs.ts'
import { ingest } from './ingest.ts'

const [plan, group] = [uuidv7(), uuidv7()]
const now = Date.parse('2026-03-01T09:00:00Z')
let world: GatewayWorld
let logId: string
let seq: number
beforeEach(async () => {
  world = await gatewayWorld()
  ;[logId, seq] = [uuidv7(), 0]
  await world.run(sql`insert into user_group (user_group_id, user_group_account, user_group_name)
    values (${group}, ${world.accountKey}, 'Red cards')`)
  await world.run(sql`insert into lockdown_plan (lockdown_plan_id, lockdown_plan_account, lockdown_plan_name)
    values (${plan}, ${world.accountKey}, 'Everything')`)
  await world.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    values (${world.accountKey}, ${group}, 'members', 'users', ${ids.nomsa}),
           (${world.accountKey}, ${plan}, 'cardGroups', 'User Group', ${group}),
           (${world.accountKey}, ${plan}, 'cardDoors', 'Door', ${ids.door})`)
})
afterEach(() => world.close())

type Presented = { number?: string; secondsAgo?: number; decided?: { verdict: string; reason: string | null } }

/** Sends a presented card twice; returns who starts which plans since. */
async function present({
  number = '4711',
  secondsAgo = 0,
  decided = { verdict: 'grant', reason: null },
}: Presented = {}) {
  const { database } = world
  const feed = new ChangeFeed({ database, logins: { system: '' }, notify: 'off' })
  const policies = new Policies({ database, feed, numbers: testNumbers() })
  const earlierConfigs = new EarlierConfigs({ database, log: pino({ level: 'silent' }) })
  const at = new Date(now - secondsAgo * 1_000).toISOString()
  const body = { ...nomsasCard, number, type: 'access', at, configVersion: 1, ...decided }
  const frame = { unit: ids.unit, logId, records: [{ seq: ++seq, body }], clockOffsetMs: 0 }
  for (const again of [frame, frame]) await ingest({ database, policies, earlierConfigs, now: () => now }, again)
  const row = z.object({ plan: z.string(), user: z.string(), name: z.string() })
  return world.rows(
    row,
    sql`select lockdown_card_plan as plan, lockdown_card_user as "user", lockdown_card_user_name as name from lockdown_card`,
  )
}

const byNomsa = [{ plan, user: ids.nomsa, name: 'Nomsa Dlamini' }]
const denied = (reason: string) => ({ verdict: 'deny', reason })

test('§6 lockdown: a card of a member at a named door starts the plan once, however often the unit sends it', async () => {
  expect(await present()).toEqual(byNomsa)
})

test('a card that has no access at the door starts the plan too', async () => {
  await world.run(sql`delete from rule where rule_id = ${ids.rule}`)
  expect(await present({ decided: denied('credential_unknown') })).toEqual(byNomsa)
})

test.each(['lost', 'stolen', 'suspended', 'revoked'])('a card that is %s starts no plan', async (status) => {
  await world.run(sql`update credential set credential_status = ${status} where credential_id = ${ids.card}`)
  expect(await present({ decided: denied('credential_unknown') })).toEqual([])
})

test.each([
  ['a suspended user', sql`update membership set membership_status = 'suspended' where membership_user = ${ids.nomsa}`],
  ['a user outside the group', sql`delete from link where link_owner = ${group}`],
  ['a card at another door', sql`delete from link where link_owner = ${plan} and link_field = 'cardDoors'`],
])('%s starts no plan', async (_, change) => {
  await world.run(change)
  expect(await present()).toEqual([])
})

test('neither an unknown card nor an event that comes late starts a plan', async () => {
  expect(await present({ number: '4712', decided: denied('credential_unknown') })).toEqual([])
  expect(await present({ secondsAgo: 11 })).toEqual([])
  expect(await present({ secondsAgo: 9 })).toEqual(byNomsa)
})
