import { randomBytes } from 'node:crypto'
import { units } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectGuest } from '../test-guest.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('a change of the policy makes a new version for the units that it touches, and only for those', async () => {
  const [touched, other] = [await enrolledUnit(), await enrolledUnit()]
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: touched, unitDoor: 1 } })
  for (const unit of [touched, other]) {
    await expect.poll(() => desired(unit)).toBeGreaterThanOrEqual(1)
  }
  const [before, untouched] = [await desired(touched), await desired(other)]
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: touched, unitDoor: 2 } })
  await expect.poll(() => desired(touched)).toBeGreaterThan(before)
  expect(await desired(other)).toBe(untouched)
})

test('the end of a whole account does not end the compiling for the others', async () => {
  const unit = await enrolledUnit()
  const ref = 'soon-gone'
  const account = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref } })
  const guest = await connectGuest(server)
  expect(await guest.join(`account:${ref}:*`)).toBe('ok')
  const ask = server.in(ref)
  await ask('PATCH', `/api/accounts/${account._id}`, { body: { name: 'Soon gone' } })
  await expect.poll(() => guest.of(account._id)).toContain('account:save')
  await ask('DELETE', `/api/accounts/${account._id}`)
  // The guest hears of the end, or is sent away because the check of its room came first: either way it has been followed.
  const hasEnded = () => guest.of(account._id).includes('account:remove') || !guest.isConnected()
  await expect.poll(hasEnded).toBe(true)
  guest.close()
  const before = await desired(unit)
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
  await expect.poll(() => desired(unit)).toBeGreaterThan(before)
})

async function enrolledUnit() {
  const { _id } = await makeItem({ ask: server.ask, collection: 'units' })
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      values (${_id}, ${randomBytes(32)}, ${randomBytes(32)})`),
  )
  return _id
}

async function desired(unit: string) {
  return (await server.client.of(units).get(unit)).desiredVersion ?? 0
}
