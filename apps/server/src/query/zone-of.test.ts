import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database/test-database.ts'
import { AppError } from '../errors/app-error.ts'
import { zoneOf, zoneRefusal } from './zone-of.ts'

test.each([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['Africa/Johannesburg', 'Africa/Johannesburg'],
])('%s is sent to the database as %s, which keeps its daylight saving time', (requested, canonical) => {
  expect(zoneOf(requested, { account: { defaultTimeZone: 'UTC' } })).toBe(canonical)
})

test('a time zone unknown only to the database is refused by the name of its parameter', async () => {
  const { databaseUrl, drop } = await createTestDatabase()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const failed = await client.query(`select now() at time zone 'Mars/Olympus'`).catch((error: unknown) => error)
  await client.end()
  await drop()
  const refusal = zoneRefusal(failed)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'bad_request',
    fieldErrors: { timeZone: { code: 'unknown_time_zone', parameters: {} } },
  })
})

test('other errors are returned unchanged', () => {
  const other = new Error('The connection is gone.')
  expect(zoneRefusal(other)).toBe(other)
})
