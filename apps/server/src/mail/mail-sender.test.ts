import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startAnotherServer } from '../test-servers.ts'
import { request, startOwnServer, type TestServer } from '../test-server.ts'
import { queueMail } from './queue-mail.ts'
import { bodyOf, openTestMailbox, type TestMailbox } from './test-mailbox.ts'

const token = 'a'.repeat(43)

let mailbox: TestMailbox
let server: TestServer

beforeAll(async () => {
  mailbox = await openTestMailbox()
  server = await startOwnServer({ smtpUrl: mailbox.url })
})
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})
beforeEach(async () => {
  await server.database.asSystem((tx) => tx.run(sql`delete from mail`))
  mailbox.mails.length = 0
  mailbox.answer(250, '')
})

test('an email is sent only if its transaction commits, and its content is then erased', async () => {
  await server.database
    .asSystem(async (tx) => {
      await queueMail(tx, { person: server.userId, content: { kind: 'reset', token } })
      throw new Error('no')
    })
    .catch(() => {})
  await queue()
  await expect.poll(() => statuses()).toEqual(['sent'])
  expect(mailbox.mails).toHaveLength(1)
  expect(await erased()).toBe(1)
  expect(await server.client.outbox()).toMatchObject([
    { to: server.email, subject: 'Your Portcullis password was changed', attempts: 1, problem: null, text: null },
  ])
})

test('an email refused for now is retried later, and the mail server’s answer is shown', async () => {
  mailbox.answer(451, 'Come back later')
  await queue()
  await expect.poll(outboxEntries).toEqual([['waiting', 1, '451 Come back later', null]])
  expect(await retryMinutes()).toBeGreaterThan(0)
  mailbox.answer(250, '')
  await makeDue()
  await expect.poll(() => statuses()).toEqual(['sent'])
  expect(mailbox.mails).toHaveLength(1)
})

test('an email refused for good is not retried', async () => {
  mailbox.answer(550, 'No such user here')
  await queue()
  await expect.poll(outboxEntries).toEqual([['failed', 1, '550 No such user here', null]])
  expect(await erased()).toBe(1)
})

test('of two servers that find the same emails, one sends each', async () => {
  await startAnotherServer(server.databaseUrl, { smtpUrl: mailbox.url })
  await server.database.asSystem(async (tx) => {
    for (let count = 0; count < 40; count += 1) {
      await queueMail(tx, { person: server.userId, content: { kind: 'password_changed' } })
    }
  })
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['sent']))
  expect(mailbox.mails).toHaveLength(40)
})

test('an email whose sender died is sent by another server', async () => {
  await queue({ dueIn: '1 hour', attempts: 1 })
  await makeDue()
  await expect.poll(() => statuses()).toEqual(['sent'])
  expect(mailbox.mails).toHaveLength(1)
})

test('an email of an unknown kind does not block other emails', async () => {
  await server.database.asSystem(async (tx) => {
    await queueMail(tx, { person: server.userId, content: { kind: 'password_changed' } })
    await tx.run(sql`update mail set mail_content = '{"kind": "carrier pigeon"}'`)
    await queueMail(tx, { person: server.userId, content: { kind: 'second_factor_on' } })
  })
  await expect.poll(() => statuses()).toEqual(['sent', 'waiting'])
})

test('the outbox is for hyper users only', async () => {
  const admin = await server.signInAs({ role: 'admin' })
  expect(await admin.ask('GET', '/api/outbox')).toMatchObject({ status: 403, error: { code: 'hyper_only' } })
  expect((await request(`${server.url}/api/outbox`, { method: 'GET' })).status).toBe(401)
})

test('without a mail server the outbox shows the content of an email', async () => {
  const without = await startOwnServer()
  await without.database.asSystem((tx) => queueMail(tx, { person: without.userId, content: { kind: 'reset', token } }))
  await expect.poll(async () => (await without.client.outbox())[0]?.status).toBe('kept')
  const [mail] = await without.client.outbox()
  expect(mail?.text).toContain(`${without.url}/authentication/password-reset/${without.userId}/${token}`)
  await without.stop()
})

test('an email has the same content as text and as HTML, and a name cannot add markup or paragraphs', async () => {
  const name = 'Mallory <img src="https://evil.example/x">\n\nPlease pay & "smile"'
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update person set person_name = ${name}`)
    await queueMail(tx, { person: server.userId, content: { kind: 'reset', token } })
  })
  await expect.poll(() => mailbox.mails.length).toBe(1)
  const body = bodyOf(mailbox.mails[0]?.message ?? '')
  const [, text = '', html = ''] = body.split(/Content-Type: text\/(?:plain|html)/)
  expect(text).toContain('Hello Mallory <img src="https://evil.example/x"> Please pay & "smile",')
  expect(html).not.toContain('<img src="https')
  expect(html).toContain('Hello Mallory &lt;img')
  const link = `${server.url}/authentication/password-reset/${server.userId}/${token}`
  expect(text).toContain(link)
  expect(html).toContain(`href="${link}"`)
})

/** The outbox entry of each email. */
async function outboxEntries() {
  const mails = await server.client.outbox()
  return mails.map(({ status, attempts, problem, text }) => [status, attempts, problem, text])
}

async function queue({ dueIn = '0', attempts = 0 } = {}) {
  await server.database.asSystem(async (tx) => {
    await queueMail(tx, { person: server.userId, content: { kind: 'password_changed' } })
    await tx.run(sql`update mail set mail_due_at = now() + ${dueIn}::interval, mail_attempts = ${attempts}`)
  })
}

function makeDue() {
  return server.database.asSystem((tx) =>
    tx.run(sql`update mail set mail_due_at = now() where mail_status = 'waiting'`),
  )
}

async function statuses() {
  const rows = await server.database.asSystem((tx) =>
    tx.rows(z.object({ status: z.string() }), sql`select mail_status as status from mail order by mail_status`),
  )
  return rows.map(({ status }) => status)
}

/** Minutes until the email is retried, once a failure is recorded; null before that. */
async function retryMinutes() {
  const row = await server.database.asSystem((tx) =>
    tx.first(
      z.object({ minutes: z.number().nullable() }),
      sql`select case when mail_problem is not null and mail_status = 'waiting'
                      then (extract(epoch from mail_due_at - now()) / 60)::float8 end as minutes from mail`,
    ),
  )
  return row?.minutes ?? null
}

async function erased() {
  const rows = z.object({ count: z.number() })
  const found = await server.database.asSystem((tx) =>
    tx.first(rows, sql`select count(*) as count from mail where mail_content is null`),
  )
  return found?.count
}
