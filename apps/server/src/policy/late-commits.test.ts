import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer, type TestUser } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)

/** A separate tree, because changes of one tree are committed one after the other. */
await server.database.asSystem((tx) =>
  tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
    values (${uuidv7()}, 'elsewhere', 'Elsewhere', 'UTC')`),
)

test('§1 units are compiled for a change that is committed late, after one that began later', async () => {
  const [late, early] = [await enrolledUnit(server.ask), await enrolledUnit(server.in('elsewhere'))]
  const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id
  const change = openChange({ account: await server.keyOf('main'), site, unit: late })
  await change.isWritten
  const fields = { unit: early, unitDoor: 1 }
  const door = (await makeItem({ ask: server.in('elsewhere'), collection: 'doors', fields }))._id
  expect(await configurationOf(late)).not.toContain(change.door)
  await change.commit()
  await expect.poll(() => configurationOf(late)).toContain(change.door)
  await expect.poll(() => configurationOf(early)).toContain(door)
})

/** Adds a door to a unit in a transaction that stays open until the test commits it. */
function openChange({ account, site, unit }: { account: number; site: string; unit: string }) {
  const written = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const door = uuidv7()
  const done = server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door,
        door_relock_after_seconds, door_held_open_after_seconds, door_directions)
      values (${door}, ${account}, 'Late', ${site}, ${unit}, 1, 5, 30, '{"entry": true, "exit": false}')`)
    await tx.run(sql`update policy set policy_version = policy_version + 1 where policy_root = ${account}`)
    await recordChanges(tx, [{ account, collection: 'doors', item: door, action: 'save', isPolicy: true }])
    written.resolve()
    await ended.promise
  })
  return {
    door,
    isWritten: written.promise,
    async commit() {
      ended.resolve()
      await done
    },
  }
}

async function enrolledUnit(ask: TestUser['ask']) {
  const { _id } = await makeItem({ ask, collection: 'units' })
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      values (${_id}, ${randomBytes(32)}, ${randomBytes(32)})`),
  )
  return _id
}

/** The newest compiled configuration of a unit, as text. */
async function configurationOf(unit: string) {
  const row = await server.database.asSystem((tx) =>
    tx.first(
      z.object({ body: z.string() }),
      sql`select unit_config_text as body from unit_config_whole where unit_config_unit = ${unit}
           order by unit_config_version desc limit 1`,
    ),
  )
  return row?.body ?? ''
}
