import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database/test-database.ts'
import { AppError } from '../errors/app-error.ts'
import { zoneOf, zoneRefusal } from './zone-of.ts'

test.each([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['Africa/Johannesburg', 'Africa/Johannesburg'],
])('%s is told to the database as %s, which has a summer where it has one', (asked, told) => {
  expect(zoneOf(asked, { account: { defaultTimeZone: 'UTC' } })).toBe(told)
})

test('a zone that only the database does not know is refused by the name of its parameter', async () => {
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

test('what else fails stays what it is', () => {
  const other = new Error('The connection is gone.')
  expect(zoneRefusal(other)).toBe(other)
})
