import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { credentialNumbersFrom } from './credential-numbers.ts'
import { resealNumbers } from './reseal-numbers.ts'
import { findSealed, sealNumber } from './sealed-rows.ts'

const { logins, drop } = await createTestDatabase()
const database = new Database({ logins, connections: 2 })
afterAll(async () => {
  await database.close()
  await drop()
})

const [from, to] = [credentialNumbersFrom(randomBytes(32)), credentialNumbersFrom(randomBytes(32))]
const row = z.object({ credential: z.uuid(), value: z.instanceof(Buffer) })

test('all numbers, also of deleted credentials, are encrypted and hashed with the other key', async () => {
  // More than one slice.
  const items = Array.from({ length: 1_003 }, (_, index) => ({ credential: uuidv7(), number: `QR-${index}` }))
  await database.asSystem(async (tx) => {
    for (const item of items) await sealNumber(tx, { numbers: from, account: 1, ...item })
    await tx.run(sql`update sealed_number set sealed_number_deleted_at = now()
      where sealed_number_credential = ${items[0]?.credential}`)
  })
  expect(await database.asSystem((tx) => resealNumbers(tx, { from, to }))).toBe(items.length)
  const stored = await database.rows(
    row,
    sql`select sealed_number_credential as credential, sealed_number_value as value from sealed_number`,
  )
  const opened = stored.map(({ credential, value }) => [credential, to.open(value, credential)] as const)
  expect(new Map(opened)).toEqual(new Map(items.map(({ credential, number }) => [credential, number])))
  const find = (numbers: typeof from) =>
    database.asSystem((tx) =>
      findSealed(tx, { accounts: [1], hashes: items.slice(0, 3).map(({ number }) => numbers.hash(number)) }),
    )
  expect([(await find(from)).length, (await find(to)).length]).toEqual([0, 2])
  await expect(database.asSystem((tx) => resealNumbers(tx, { from, to }))).rejects.toThrow('SECRET_KEY_FILE')
})

test('a number copied to another credential cannot be read', () => {
  const sealed = from.seal('QR-1', 'one')
  expect(from.open(sealed, 'one')).toBe('QR-1')
  expect(() => from.open(sealed, 'another')).toThrow('SECRET_KEY_FILE')
})
