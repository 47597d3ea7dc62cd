import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { ensureAdministrator } from '../first-administrator.ts'
import { claimMails, noteDelivered, noteFailed } from './claimed-mails.ts'
import { queueMail } from './queue-mail.ts'

let testDatabase: TestDatabase
let database: Database

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = new Database({ databaseUrl: testDatabase.databaseUrl, connections: 4 })
  await ensureAdministrator(database, { email: 'root@portcullis.example', password: 'open sesame', now: new Date() })
  await database.asSystem(async (tx) => {
    const person = await tx.first(z.object({ id: z.uuid() }), sql`select person_id as id from person`)
    await queueMail(tx, { person: person?.id ?? '', content: { kind: 'password_changed' } })
  })
})
afterEach(async () => {
  await database.close()
  await testDatabase.drop()
})

test('pauses grow, and after about a day a mail is given up with the last words of the mail server', async () => {
  const pauses: number[] = []
  for (let [mail] = await claimMails(database); mail; [mail] = await claimMails(database)) {
    await noteFailed(database, { mail, problem: 'no answer', isFinal: false })
    const { status, minutes } = await look()
    if (status === 'waiting') pauses.push(Math.round(minutes))
    await database.asSystem((tx) => tx.run(sql`update mail set mail_due_at = now()`))
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  const hours = pauses.reduce((sum, minutes) => sum + minutes, 0) / 60
  expect(hours).toBeGreaterThan(20)
  expect(hours).toBeLessThan(28)
  expect(await look()).toMatchObject({ status: 'failed', problem: 'no answer', isErased: true })
})

test('a mail that is taken is nobody else’s, until its sender must be dead', async () => {
  const [taken] = await claimMails(database)
  expect(taken).toBeDefined()
  expect(await claimMails(database)).toEqual([])
  await database.asSystem((tx) => tx.run(sql`update mail set mail_due_at = mail_due_at - interval '121 seconds'`))
  const [again] = await claimMails(database)
  expect(again).toMatchObject({ id: taken?.id, attempt: 2 })
})

test('a mail that was sent after all is not waited for again', async () => {
  const [mail] = await claimMails(database)
  if (!mail) throw new Error('no mail')
  await noteDelivered(database, { id: mail.id, as: 'sent' })
  await noteFailed(database, { mail, problem: 'too late', isFinal: false })
  expect(await look()).toMatchObject({ status: 'sent', problem: null, isErased: true })
})

const row = z.object({
  status: z.string(),
  problem: z.string().nullable(),
  minutes: z.number(),
  isErased: z.boolean(),
})

async function look() {
  return row.parse(
    await database.asSystem((tx) =>
      tx.first(
        row,
        sql`select mail_status as status, mail_problem as problem, mail_content is null as "isErased",
               (extract(epoch from mail_due_at - now()) / 60)::float8 as minutes from mail`,
      ),
    ),
  )
}
