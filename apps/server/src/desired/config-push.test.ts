import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { configFor } from './config-push.ts'

const world = await gatewayWorld()
afterAll(() => world.close())

test('a unit that claims the newest version again and again adds one body', async () => {
  await world.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
    unit_config_hash, unit_config_body) values (${ids.unit}, 1, 1, 'hash', 'body')`)
  for (let highestVersion = 1; highestVersion <= 10; highestVersion += 1) {
    const desired = await configFor(world.database, { unit: ids.unit, applied: null, highestVersion })
    expect(desired?.toSend?.version).toBe(highestVersion + 1)
  }
  const stored = sql`select unit_config_version as version from unit_config order by 1`
  expect(await world.rows(z.object({ version: z.int() }), stored)).toEqual([{ version: 1 }, { version: 11 }])
})
