import { conformServer } from '@portcullis/controllers/conformance/conform-server'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { requestUnlockOnce } from '../commands/commands.ts'
import { gatewayWorld, ids, serial } from './test-world.ts'

const operator = {
  person: { _id: ids.nomsa, name: 'Nomsa Dlamini' },
  account: { root: 0 },
  assumed: { _id: ids.account, key: 1, assumption: { _id: uuidv7(), reason: 'A test of the controller' } },
  requestId: uuidv7(),
}

test('the server keeps the rules of the unit protocol, as the conformance kit checks them', async () => {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  const { url } = await world.startServer()
  const changes: Promise<unknown>[] = []
  const findings = await conformServer({
    url,
    code: await world.code(),
    serial,
    onFinding: ({ what }) => {
      // An operator blocks the door while the kit runs.
      if (what === 'sends none again that the unit applies')
        changes.push(
          world.changePolicy(
            sql`update door set door_mode = 'blocked', door_mode_version = 1 where door_id = ${ids.door}`,
          ),
        )
    },
    // When it asks for changes, the operator suspends a card and unlocks the door.
    onReadyForChanges: () =>
      void changes.push(
        world.changePolicy(sql`update credential set credential_status = 'suspended'`),
        requestUnlockOnce(world.database, { door: ids.door, account: world.accountKey, actor: operator }),
      ),
  })
  await Promise.all(changes)
  expect(findings.filter(({ fault }) => fault !== null)).toEqual([])
  expect(findings.flatMap(({ section, skipped }) => (skipped === undefined ? [] : [section]))).toEqual([
    'Heartbeats',
    'Passages at other units',
  ])
  const stored = (await world.events()).filter(({ log }) => log !== null)
  expect(stored.length).toBeGreaterThan(520)
  expect(new Set(stored.map(({ seq }) => seq)).size).toBe(stored.length)
})
