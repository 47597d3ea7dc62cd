import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { databaseIn } from '../database/test-engine.ts'
import { oldCommands, pruneCommands } from './prune-commands.ts'

const world = await gatewayWorld()
afterAll(() => world.close())
beforeEach(() => world.run(sql`delete from unit_command`))

const online = { unit: ids.unit, status: 'online', pending: 0, outcome: 'confirmed', isSent: true }
const offline = { ...online, status: 'offline' }

test.each([
  ['ended 31 days ago', 0, { ...online, daysAgo: 31 }],
  ['ended 29 days ago', 1, { ...online, daysAgo: 29 }],
  ['has not ended', 1, { ...online, daysAgo: null, outcome: 'sent' }],
  ['was sent to a unit that has been away since', 1, { ...offline, daysAgo: 31 }],
  ['was sent to a unit that has been away for more than a year', 0, { ...offline, daysAgo: 366 }],
  ['was sent to a unit with events waiting', 1, { ...online, pending: 3, daysAgo: 31 }],
  ['was never sent to a unit that is away', 0, { ...offline, outcome: 'not_delivered', isSent: false, daysAgo: 31 }],
  ['was sent to a unit that is deleted', 0, { ...online, unit: uuidv7(), daysAgo: 31 }],
] as const)(
  'of commands, one that %s: %i is left',
  async (_name, left, { unit, status, pending, outcome, isSent, daysAgo }) => {
    await world.run(sql`update unit_state set unit_state_status = ${status}, unit_state_pending_events = ${pending}`)
    await world.run(sql`insert into unit_command (unit_command_id, unit_command_account, unit_command_unit, unit_command_door,
      unit_command_unit_door, unit_command_action, unit_command_status, unit_command_expires_at, unit_command_sent_at,
      unit_command_ended_at)
    values (${uuidv7()}, ${world.accountKey}, ${unit}, ${ids.door}, 1, 'unlockOnce', ${outcome}, now() - interval '400 days',
      ${isSent ? sql`now() - interval '400 days'` : null}, now() - make_interval(days => ${daysAgo}))`)
    await pruneCommands(world.database, { signal: new AbortController().signal })
    expect(await world.rows(z.unknown(), sql`select from unit_command`)).toHaveLength(left)
  },
)

test('a batch reads old commands only, and deletes at most 500', async () => {
  await world.run(sql`insert into unit_command (unit_command_id, unit_command_account, unit_command_unit, unit_command_door,
      unit_command_unit_door, unit_command_action, unit_command_status, unit_command_expires_at, unit_command_ended_at)
    select gen_random_uuid(), ${world.accountKey}, ${ids.unit}::uuid, ${ids.door}::uuid, 1, 'unlockOnce', 'refused', now(),
        now() - make_interval(days => case when n <= 600 then 31 else 1 end)
      from generate_series(1, 20000) n`)
  const owner = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(world.logins.system).pathname.slice(1)))
  onTestFinished(() => owner.end())
  await owner.connect()
  await owner.query('analyze unit_command')
  const plan = await world.rows(z.object({ 'QUERY PLAN': z.string() }), sql`explain ${oldCommands}`)
  const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan'))
  expect(scans.join()).toContain('unit_command_ended')
  expect(scans.join()).not.toContain('Seq Scan on unit_command')
  expect(await world.database.asSystem((tx) => tx.run(oldCommands))).toBe(500)
})
