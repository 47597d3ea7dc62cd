import { accounts } from '@portcullis/contract/collections/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { brandOfAccount } from './brand-of-account.ts'

const server = await startTestServer()
afterAll(server.stop)

const collection = server.client.of(accounts)

beforeAll(async () => {
  const group = await collection.create({ name: 'Quay Group', ref: 'quay', brand: 'harbour' })
  const branch = await collection.create({ name: 'Quay North', ref: 'quay-north', parent: group._id })
  await collection.create({ name: 'Quay North Shop', ref: 'quay-shop', parent: branch._id })
  await collection.create({ name: 'Quay South', ref: 'quay-south', parent: group._id, brand: 'acme' })
})

async function brandOf(ref: string) {
  const key = await server.keyOf(ref)
  const { product } = await server.database.asSystem((tx) => brandOfAccount(tx, key))
  return product
}

test('an account has its own brand, that of the nearest account above with one, or the default', async () => {
  expect(await brandOf('quay')).toBe('Harbour Watch')
  expect(await brandOf('quay-north')).toBe('Harbour Watch')
  expect(await brandOf('quay-shop')).toBe('Harbour Watch')
  expect(await brandOf('quay-south')).toBe('Acme Access')
  expect(await brandOf(server.account)).toBe('Portcullis')
})

test('an account accepts only brands of the list', async () => {
  const { item } = await server.ask('POST', '/api/accounts', { body: { name: 'Pier', ref: 'pier', brand: 'acme' } })
  expect(item['brand']).toBe('acme')
  const refused = await server.ask('PATCH', `/api/accounts/${item._id}`, { body: { brand: '../acme' } })
  expect([refused.status, Object.keys(refused.error.fields)]).toEqual([400, ['brand']])
})
