import { calls } from '@portcullis/contract/calls/registry'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { makeEnrolled } from '../mfa/test-authenticator.ts'
import { startOwnServer } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)

/** Calls that change something by a GET, or that need a fresh sign-in because they give rights or reveal much. */
const watched = calls.filter(({ hasEffect, needsFreshSignIn }) => hasEffect || needsFreshSignIn)

/** Why a call leaves no trace. */
const withoutTrace: Readonly<Record<string, string>> = {
  'begin-mfa-set-up': 'Nothing applies until the user completes the setup, which is recorded.',
  'change-email': 'Nothing changes until both addresses have confirmed, which is recorded.',
  'send-verification': 'It sends an email, which the outbox keeps.',
  'verify-email': 'It only confirms an address; a changed address is recorded.',
  'forgot-password': 'It sends an email, which the outbox keeps; a reset password is recorded.',
  outbox: 'It only reads.',
}

type Ask = () => Promise<{ status: number }>

/** What each call needs first; then the call itself, which succeeds. */
const prepare: Readonly<Record<string, () => Promise<Ask>>> = {
  'enrol-unit': async () => ask(`/api/units/${(await made('units'))._id}/enrolment`),
  'replace-unit': async () => ask(`/api/units/${(await made('units'))._id}/replace`, { serial: 'PC-NEXT' }),
  'revoke-unit': async () => {
    const { _id } = await made('units')
    const enrolled = sql`update unit set unit_enrolled_at = now() where unit_id = ${_id}`
    await server.database.asSystem((tx) => tx.run(enrolled))
    return ask(`/api/units/${_id}/revoke`)
  },
  'suspend-account': async () => ask(`/api/accounts/${(await made('accounts'))._id}/suspend`),
  'restore-account': async () => {
    const { _id } = await made('accounts')
    await ask(`/api/accounts/${_id}/suspend`)()
    return ask(`/api/accounts/${_id}/restore`)
  },
  'assume-account': async () => ask(`/api/accounts/${(await made('accounts'))._id}/assume`, { reason: 'Ticket 4711' }),
  'export-door-access': async () => download(`/api/doors/${(await made('doors'))._id}/access/export`),
  'export-user-access': async () => download(`/api/users/${server.userId}/access/export`),
  'enable-mfa': async () => {
    const { browser } = await makeEnrolled(server)
    await browser.ask('POST', '/api/users/disablemfa')
    return () => browser.ask('POST', '/api/users/enablemfa')
  },
  'disable-mfa': () => byEnrolled('/api/users/disablemfa'),
  'renew-recovery-codes': () => byEnrolled('/api/users/recoveryCodes'),
  'reset-mfa': async () => ask(`/api/users/${(await makeEnrolled(server)).userId}/mfaReset`),
}

test('every call that changes something by a GET or needs a fresh sign-in is made here, or listed with a reason', () => {
  const listed = [...Object.keys(prepare), ...Object.keys(withoutTrace)]
  expect(listed.toSorted()).toEqual(watched.map(({ id }) => id).toSorted())
})

test.each(Object.entries(prepare))('%s leaves an audit log entry or an event', async (_id, prepared) => {
  const call = await prepared()
  const before = await traces()
  expect([200, 201, 204]).toContain((await call()).status)
  await expect.poll(traces).toBeGreaterThan(before)
})

async function traces() {
  const counted = z.object({ count: z.int() })
  const count = sql`select ((select count(*) from history) + (select count(*) from event))::int as count`
  return counted.parse(await server.database.asSystem((tx) => tx.first(counted, count))).count
}

function made(collection: 'units' | 'doors' | 'accounts') {
  return makeItem({ ask: server.ask, collection })
}

function ask(path: string, body?: unknown): Ask {
  return () => server.ask('POST', path, body === undefined ? {} : { body })
}

async function byEnrolled(path: string): Promise<Ask> {
  const { browser } = await makeEnrolled(server)
  return () => browser.ask('POST', path)
}

function download(path: string): Ask {
  return async () => {
    const headers = { 'content-type': 'application/json', 'x-js-account': server.account, ...server.headers }
    const body = JSON.stringify({ format: 'csv' })
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
    await answer.text()
    return answer
  }
}
