import pino from 'pino'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configFor } from './config-push.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from '../gateway/test-world.ts'

let world: GatewayWorld
let url: string
beforeEach(async () => {
  world = await gatewayWorld()
  url = (await world.startServer()).url
})
afterEach(() => world.close())

const wait = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 })
const set = (status: string) =>
  world.database.asSystem((tx) =>
    tx.run(sql`update account set account_status = ${status} where account_parent is null`),
  )
const desired = () =>
  configFor(
    { database: world.database, compile: async () => {}, log: pino({ level: 'silent' }) },
    { unit: ids.unit, applied: null, highestVersion: 0, takesDeltas: false },
  )

test('§3 suspending: controllers of a suspended account get no new configuration, keep the one that they have, and still report', async () => {
  const unit = await world.enrolledUnit(url)
  await wait(async () => expect(await world.unitState()).toMatchObject({ appliedVersion: 1 }))
  await set('suspended')
  expect(await desired()).toBeUndefined()
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await wait(async () => expect(await world.unitState()).toMatchObject({ desiredVersion: 2 }))

  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'grant' })
  await wait(async () => expect((await world.events()).map(({ type }) => type)).toContain('access.granted'))
  expect(await world.unitState()).toMatchObject({ status: 'online', appliedVersion: 1 })

  await set('active')
  await wait(async () => expect(await world.unitState()).toMatchObject({ appliedVersion: 2 }))
  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'deny' })
})
