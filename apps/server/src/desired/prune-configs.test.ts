import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { pruneConfigs } from './prune-configs.ts'
import { testConfig } from './test-config.ts'

const world = await gatewayWorld()
afterAll(() => world.close())
beforeEach(async () => {
  await world.run(sql`delete from unit_config`)
  await world.run(sql`delete from unit_config_piece`)
})

const { signal } = new AbortController()

test.each([
  {
    unit: 'in sync: the applied version, and those it replaced within a day',
    applied: 4,
    heardHoursAgo: 0,
    stored: [
      { version: 1, madeHoursAgo: 100, replacedHoursAgo: 90 },
      { version: 2, madeHoursAgo: 90, replacedHoursAgo: 30 },
      { version: 3, madeHoursAgo: 30, replacedHoursAgo: 2 },
      { version: 4, madeHoursAgo: 2 },
    ],
    left: [3, 4],
  },
  {
    unit: 'away: the applied version, the last one it may have, the next of each, and the desired one',
    applied: 2,
    heardHoursAgo: 350,
    stored: [
      { version: 1, madeHoursAgo: 700, replacedHoursAgo: 600 },
      { version: 2, madeHoursAgo: 600 },
      { version: 3, madeHoursAgo: 500 },
      { version: 4, madeHoursAgo: 450 },
      { version: 5, madeHoursAgo: 400 },
      { version: 6, madeHoursAgo: 300 },
      { version: 7, madeHoursAgo: 200 },
      { version: 8, madeHoursAgo: 100 },
    ],
    left: [2, 3, 5, 6, 8],
  },
  {
    unit: 'that rejects its configurations: the applied version, the next one, and those of the last day',
    applied: 1,
    heardHoursAgo: 0,
    stored: [
      { version: 1, madeHoursAgo: 60 },
      { version: 2, madeHoursAgo: 50 },
      { version: 3, madeHoursAgo: 40 },
      { version: 4, madeHoursAgo: 3 },
      { version: 5, madeHoursAgo: 2 },
    ],
    left: [1, 2, 4, 5],
  },
  {
    unit: 'with a raised configuration: one version',
    applied: null,
    heardHoursAgo: 0,
    stored: [
      { version: 1, madeHoursAgo: 30 },
      { version: 9, madeHoursAgo: 28 },
    ],
    left: [9],
  },
])('of a unit $unit stay', async ({ applied, heardHoursAgo, stored, left }) => {
  for (const each of stored) await store({ replacedHoursAgo: null, ...each })
  await world.run(sql`update unit_state set unit_state_applied_version = ${applied},
    unit_state_last_heartbeat_at = now() - make_interval(hours => ${heardHoursAgo})`)
  await pruneConfigs(world.database, { signal })
  expect(await versions()).toEqual(left)
})

test('more than a batch is deleted, until none is left to delete', async () => {
  await world.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
      unit_config_hash, unit_config_bytes, unit_config_pieces, unit_config_made_at)
    select ${ids.unit}::uuid, version, 1, 'hash', 2, '[]', now() - interval '2 days' from generate_series(1, 250) version`)
  await world.run(sql`update unit_state set unit_state_applied_version = 250, unit_state_last_heartbeat_at = now()`)
  await pruneConfigs(world.database, { signal })
  expect(await versions()).toEqual([250])
})

test('a piece stays for as long as a version of its unit has it', async () => {
  await store({ version: 1, text: '{"only":"old"}', madeHoursAgo: 100, replacedHoursAgo: 90 })
  await store({ version: 2, text: '{"in":"both"}', madeHoursAgo: 90, replacedHoursAgo: 80 })
  await store({ version: 3, text: '{"in":"both"}', madeHoursAgo: 80 })
  await world.run(sql`update unit_state set unit_state_applied_version = 3, unit_state_last_heartbeat_at = now()`)
  await pruneConfigs(world.database, { signal })
  expect(await versions()).toEqual([3])
  const texts = sql`select unit_config_piece_text as text from unit_config_piece`
  expect(await world.rows(z.object({ text: z.string() }), texts)).toEqual([{ text: '"in":"both"' }])
})

async function store(config: Omit<Parameters<typeof testConfig>[0], 'unit'>) {
  for (const statement of testConfig({ unit: ids.unit, ...config })) await world.run(statement)
}

async function versions() {
  const stored = sql`select unit_config_version as version from unit_config order by 1`
  return (await world.rows(z.object({ version: z.int() }), stored)).map(({ version }) => version)
}
