import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { ensureAdministrator } from '../first-administrator.ts'
import { claimMails, recordDelivered, recordDeliveryFailure } from './claimed-mails.ts'
import { queueMail } from './queue-mail.ts'

let testDatabase: TestDatabase
let database: Database

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = new Database({ logins: testDatabase.logins, connections: 4 })
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

test('retry delays grow, and after about a day an email fails with the mail server’s last answer', async () => {
  const delays: number[] = []
  for (let [mail] = await claimMails(database); mail; [mail] = await claimMails(database)) {
    await recordDeliveryFailure(database, { mail, problem: 'no answer', isFinal: false })
    const { status, minutes } = await look()
    if (status === 'waiting') delays.push(Math.round(minutes))
    await database.asSystem((tx) => tx.run(sql`update mail set mail_due_at = now()`))
  }
  expect(delays).toEqual(delays.toSorted((a, b) => a - b))
  const hours = delays.reduce((sum, minutes) => sum + minutes, 0) / 60
  expect(hours).toBeGreaterThan(20)
  expect(hours).toBeLessThan(28)
  expect(await look()).toMatchObject({ status: 'failed', problem: 'no answer', isErased: true })
})

test('a claimed email is not claimed again until its claim expires', async () => {
  const [first] = await claimMails(database)
  expect(first).toBeDefined()
  expect(await claimMails(database)).toEqual([])
  await database.asSystem((tx) => tx.run(sql`update mail set mail_due_at = mail_due_at - interval '121 seconds'`))
  const [second] = await claimMails(database)
  expect(second).toMatchObject({ id: first?.id, attempt: 2 })
})

test('a late failure does not requeue an email that was sent', async () => {
  const [mail] = await claimMails(database)
  if (!mail) throw new Error('no mail')
  await recordDelivered(database, { id: mail.id, as: 'sent' })
  await recordDeliveryFailure(database, { mail, problem: 'too late', isFinal: false })
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
