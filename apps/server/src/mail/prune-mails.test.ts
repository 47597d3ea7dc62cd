import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { ensureAdministrator } from '../first-administrator.ts'
import { pruneMails } from './prune-mails.ts'
import { queueMail } from './queue-mail.ts'

let testDatabase: TestDatabase
let database: Database

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = new Database({ logins: testDatabase.logins, connections: 4 })
  await ensureAdministrator(database, { email: 'root@portcullis.example', password: 'open sesame', now: new Date() })
})
afterEach(async () => {
  await database.close()
  await testDatabase.drop()
})

test('an ended email is kept for thirty days, and a waiting one is never deleted', async () => {
  await database.asSystem(async (tx) => {
    const person = await tx.first(z.object({ id: z.uuid() }), sql`select person_id as id from person`)
    for (const kind of ['password_changed', 'second_factor_on', 'second_factor_off'] as const) {
      await queueMail(tx, { person: person?.id ?? '', content: { kind } })
    }
    await tx.run(sql`update mail set mail_created_at = now() - interval '40 days'`)
    await tx.run(sql`update mail set mail_status = 'sent', mail_ended_at = now() - interval '31 days'
      where mail_kind = 'password_changed'`)
    await tx.run(sql`update mail set mail_status = 'sent', mail_ended_at = now() - interval '29 days'
      where mail_kind = 'second_factor_on'`)
  })
  await pruneMails(database)
  const kinds = await database.asSystem((tx) =>
    tx.rows(z.object({ kind: z.string() }), sql`select mail_kind as kind from mail order by mail_kind`),
  )
  expect(kinds.map(({ kind }) => kind)).toEqual(['second_factor_off', 'second_factor_on'])
})
