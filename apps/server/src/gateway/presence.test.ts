import { expect, onTestFinished, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { arrival } from './test-arrival.ts'
import { gatewayWorld, ids } from './test-world.ts'
import { arrive, leave } from './presence.ts'

test('a unit that has connected again stays online when the end of its earlier connection is reported late', async () => {
  const { database, unitState, close } = await gatewayWorld()
  onTestFinished(close)
  const holder = uuidv7()
  const unit = ids.unit
  await arrive(database, { unit, holder, connection: 'first', ...arrival })
  await arrive(database, { unit, holder, connection: 'second', ...arrival })

  await leave(database, { unit, holder, connection: 'first' })
  expect(await unitState()).toMatchObject({ status: 'online', holder })

  await leave(database, { unit, holder, connection: 'second' })
  expect(await unitState()).toMatchObject({ status: 'offline', holder: null })
})
