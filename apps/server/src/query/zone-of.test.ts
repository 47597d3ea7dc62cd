import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database/test-database.ts'
import { AppError } from '../http/app-error.ts'
import { zoneRefusal } from './zone-of.ts'

test('a zone that only the database does not know is refused by the name of its parameter', async () => {
  const { databaseUrl, drop } = await createTestDatabase()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const failed = await client.query(`select now() at time zone 'Mars/Olympus'`).catch((error: unknown) => error)
  await client.end()
  await drop()
  const refusal = zoneRefusal(failed, 'Mars/Olympus')
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'bad_request',
    fields: { timeZone: "The timeZone can't be used: Mars/Olympus is not known here." },
  })
})

test('what else fails stays what it is', () => {
  const other = new Error('The connection is gone.')
  expect(zoneRefusal(other, 'UTC')).toBe(other)
})
