import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestMailbox, type TestMailbox } from '../mail/test-mailbox.ts'
import { request, startOwnServer, type TestServer } from '../test-server.ts'

let mailbox: TestMailbox
let server: TestServer
let stopped: Promise<void> | undefined

beforeEach(async () => {
  mailbox = await openTestMailbox()
  server = await startOwnServer({ smtpUrl: mailbox.url })
  stopped = undefined
})
afterEach(async () => {
  await stop()
  await mailbox.close()
})

test('a user gets at most five emails in an hour despite parallel requests, and all answers are alike', async () => {
  const { email } = await server.signInAs({ role: 'installer' })
  const answers = await Promise.all(Array.from({ length: 12 }, () => forgot(email)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  await expect.poll(() => mailbox.mails.length).toBe(5)
  await server.database.asSystem((tx) =>
    tx.run(sql`update password_reset set password_reset_created_at = now() - interval '1 hour'`),
  )
  await forgot(email)
  await stop()
  expect(mailbox.mails).toHaveLength(6)
})

test('one address can send at most twenty emails in an hour, to any users', async () => {
  const people = await Promise.all(Array.from({ length: 22 }, () => server.signInAs({ role: 'appUser' })))
  const answers = await Promise.all(people.map(({ email }) => forgot(email)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  await stop()
  expect(mailbox.mails).toHaveLength(20)
})

test('a stopping server first sends the emails that it has accepted', async () => {
  const { email } = await server.signInAs({ role: 'installer' })
  await forgot(email)
  await stop()
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[email]])
})

/** A stopped server has finished its deferred work. */
function stop() {
  return (stopped ??= server.stop())
}

function forgot(email: string) {
  const query = `email=${encodeURIComponent(email)}`
  return request(`${server.url}/api/users/forgot?${query}`, { method: 'GET', headers: { 'x-js-account': 'null' } })
}
