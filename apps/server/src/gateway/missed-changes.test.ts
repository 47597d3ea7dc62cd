import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { missedChanges } from './missed-changes.ts'
import { gatewayWorld, ids } from './test-world.ts'

test('a unit may have missed recent changes until it applies a configuration with all of them', async () => {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const missed = (applied: number | null) =>
    missedChanges(world.database, { unit: ids.unit, applied: applied === null ? null : { version: applied } })
  const all = { users: [ids.nomsa], credentials: [ids.card] }
  const none = { users: [], credentials: [] }
  await world.run(sql`update unit_state set unit_state_desired_version = 2`)
  await world.changePolicy(sql`update membership set membership_status = 'suspended'`)
  expect(await missed(2)).toEqual(all)
  await world.run(sql`update policy set policy_compiled_version = policy_version`)
  expect(await missed(2)).toEqual(none)
  expect(await missed(1)).toEqual(all)
  // It grants no access.
  expect(await missed(null)).toEqual(none)
  await world.run(sql`update unit_state set unit_state_fault = 'not_compiled'`)
  expect(await missed(2)).toEqual(all)
})
