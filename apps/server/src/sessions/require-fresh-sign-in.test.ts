import { pathOf } from '@portcullis/contract/call'
import { assumeAccount } from '@portcullis/contract/calls/assume-account'
import { restoreAccount, suspendAccount } from '@portcullis/contract/calls/accounts'
import { exportDoorAccess, exportUserAccess } from '@portcullis/contract/calls/explorer'
import { enableMfa, enforceMfa, resetMfa } from '@portcullis/contract/calls/mfa'
import { enrolUnit, revokeUnit } from '@portcullis/contract/calls/units'
import { outbox } from '@portcullis/contract/calls/outbox'
import { calls } from '@portcullis/contract/calls/registry'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBrowser } from '../mfa/test-authenticator.ts'
import { password, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const made = {
  user: await create('users', { name: 'Ann' }),
  unit: await create('units', { name: 'Hall', serial: 'HALL-1' }),
  branch: await create('accounts', { name: 'Branch', ref: `branch-${server.account}`.slice(0, 40) }),
  north: await create('accounts', { name: 'North', ref: `north-${server.account}`.slice(0, 40) }),
  site: await create('sites', { name: 'Home', timeZone: 'UTC' }),
}
const door = await create('doors', { name: 'Front', site: made.site, unit: made.unit, unitDoor: 1 })
const { account } = await server.client.me()
const accountPath = `/api/accounts/${account?._id}`

async function create(collection: string, body: object) {
  const answer = await server.ask('POST', `/api/${collection}`, { body })
  if (answer.status !== 201) throw new Error(`${collection}: ${JSON.stringify(answer.json)}`)
  return answer.item._id
}

/** The administrator in a browser of their own, whose session is no longer fresh. */
async function stale() {
  const browser = openBrowser(server)
  await browser.signIn(server.email)
  await server.database.asSystem((tx) =>
    tx.run(sql`update session set session_confirmed_at = now() - interval '10 minutes'
      where session_person = ${server.userId} and session_confirmed_at <= now()`),
  )
  const ask = async (method: string, path: string, body: unknown) => {
    const { status, error } = await browser.ask(method, path, body === undefined ? {} : { body })
    return error.code || status
  }
  return { ask, confirm: () => browser.ask('POST', '/api/auth/confirm', { body: { password } }) }
}

const sensitive: { name: string; method?: string; path: string; body?: () => object; answer: number }[] = [
  { name: 'resetting another user’s second factor', path: pathOf(resetMfa, { id: made.user }), answer: 204 },
  { name: 'giving a new user a role', path: '/api/users', body: () => ({ name: 'Ben', role: 'admin' }), answer: 201 },
  {
    name: 'changing the role of a user',
    method: 'PATCH',
    path: `/api/users/${made.user}`,
    body: () => ({ role: 'accessManager' }),
    answer: 200,
  },
  { name: 'issuing an enrolment code', path: pathOf(enrolUnit, { id: made.unit }), answer: 200 },
  { name: 'revoking the key of a controller', path: pathOf(revokeUnit, { id: made.unit }), answer: 200 },
  { name: 'suspending an account', path: pathOf(suspendAccount, { id: made.north }), answer: 200 },
  { name: 'restoring an account', path: pathOf(restoreAccount, { id: made.north }), answer: 200 },
  { name: 'exporting users', path: '/api/users/export', body: () => ({ format: 'json' }), answer: 200 },
  {
    name: 'exporting the audit log, which repeats users',
    path: '/api/auditLogs/export',
    body: () => ({ format: 'json' }),
    answer: 200,
  },
  {
    name: 'exporting the users of a door',
    path: pathOf(exportDoorAccess, { id: door }),
    body: () => ({ format: 'json' }),
    answer: 200,
  },
  {
    name: 'exporting the doors of a user',
    path: pathOf(exportUserAccess, { id: made.user }),
    body: () => ({ format: 'json' }),
    answer: 200,
  },
  {
    name: 'acting inside an account',
    path: pathOf(assumeAccount, { id: made.branch }),
    body: () => ({ reason: 'A test' }),
    answer: 200,
  },
]

describe('a sensitive call needs a fresh sign-in', () => {
  test.for(sensitive)('$name', async ({ method = 'POST', path, body, answer }) => {
    const { ask, confirm } = await stale()
    expect(await ask(method, path, body?.())).toBe('fresh_sign_in_needed')
    expect((await confirm()).status).toBe(204)
    expect(await ask(method, path, body?.())).toBe(answer)
  })

  test.for([
    { how: 'the call', method: 'POST', path: pathOf(enforceMfa, { id: account?._id ?? '' }), body: { enforce: false } },
    { how: 'a patch', method: 'PATCH', path: accountPath, body: { enforceMfa: false } },
  ])('turning off enforced MFA of an account, by $how; turning it on needs none', async ({ method, path, body }) => {
    const { ask, confirm } = await stale()
    await setEnforced(false)
    expect(await ask('PATCH', accountPath, { enforceMfa: true })).toBe(200)
    expect(await ask('PATCH', accountPath, { enforceMfa: true, name: 'Main account' })).toBe(200)
    expect(await ask(method, path, body)).toBe('fresh_sign_in_needed')
    expect((await confirm()).status).toBe(204)
    expect(await ask(method, path, body)).toBe(200)
  })

  test('turning on the second factor of one’s own account', async () => {
    const { ask, confirm } = await stale()
    const path = pathOf(enableMfa, {})
    expect(await ask('POST', path, undefined)).toBe('fresh_sign_in_needed')
    expect((await confirm()).status).toBe(204)
    expect(await ask('POST', path, undefined)).toBe('mfa_not_enrolled')
  })

  test('undoing a change that took a role away needs one too', async () => {
    const user = await create('users', { name: 'Cy', role: 'installer' })
    const changed = await server.ask('PATCH', `/api/users/${user}`, { body: { role: 'appUser' } })
    const { ask, confirm } = await stale()
    const undo = `/api/auditLogs/${changed.headers.get(historyHeader)}/undo`
    expect(await ask('POST', undo, undefined)).toBe('fresh_sign_in_needed')
    expect((await confirm()).status).toBe(204)
    expect(await ask('POST', undo, undefined)).toBe(200)
  })

  test('a user without the right is refused without a question', async () => {
    const { ask, userId } = await server.signInAs({ role: 'appUser' })
    await server.database.asSystem((tx) =>
      tx.run(sql`update session set session_confirmed_at = now() - interval '1 hour' where session_person = ${userId}`),
    )
    for (const { method = 'POST', path, body } of sensitive) {
      const { error } = await ask(method, path, body ? { body: body() } : {})
      expect(['forbidden', 'account_refused'], path).toContain(error.code)
    }
  })
})

describe('a call of a hyper user needs a fresh sign-in', () => {
  test.for([
    { name: 'reading the emails kept here', method: 'GET', path: outbox.path, answer: 200 },
    { name: 'creating a user with a password', fields: { password: 'a long enough secret' }, answer: 201 },
    { name: 'creating a user whose email is verified', fields: { verified: true }, answer: 201 },
  ])('$name', async ({ method = 'POST', path = '/api/users', fields, answer }) => {
    await setHyper(true)
    const { ask, confirm } = await stale()
    const body = fields && {
      name: 'Fay',
      email: `fay-${answer}-${Object.keys(fields)[0]}@${server.account}.example`,
      ...fields,
    }
    expect(await ask(method, path, body)).toBe('fresh_sign_in_needed')
    expect((await confirm()).status).toBe(204)
    expect(await ask(method, path, body)).toBe(answer)
    await setHyper(false)
  })
})

describe('a session that is not fresh still', () => {
  test('creates and changes users without touching their roles, and sends a user back as read', async () => {
    const { ask } = await stale()
    expect(await ask('POST', '/api/users', { name: 'Di' })).toBe(201)
    expect(await ask('POST', '/api/users', { name: 'Ed', role: 'appUser' })).toBe(201)
    const ann = await server.ask('GET', `/api/users/${made.user}`)
    expect(await ask('PATCH', `/api/users/${made.user}`, { title: 'Porter', role: ann.item['role'] })).toBe(200)
  })

  test('exports other lists', async () => {
    const { ask } = await stale()
    expect(await ask('POST', '/api/doors/export', { format: 'json' })).toBe(200)
  })
})

test('the OpenAPI document names the refusal on each such operation, and only there', async () => {
  const { json } = await server.ask('GET', '/api/openapi.json')
  const text = (path: string, method: string) => JSON.stringify(operationAt(json, { path, method }))
  for (const { path, method, needsFreshSignIn } of calls) {
    if (needsFreshSignIn) expect(text(path, method.toLowerCase()), path).toContain('fresh_sign_in_needed')
  }
  expect(text('/api/users/export', 'post')).toContain('fresh_sign_in_needed')
  expect(text('/api/users', 'post')).toContain('fresh_sign_in_needed')
  expect(text('/api/doors/export', 'post')).not.toContain('fresh_sign_in_needed')
  expect(text('/api/doors', 'post')).not.toContain('fresh_sign_in_needed')
})

const documented = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

function operationAt(json: unknown, { path, method }: { path: string; method: string }) {
  const paths = documented.parse(json).paths
  return paths[path]?.[method]
}

function setHyper(isHyper: boolean) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update person set person_hyper = ${isHyper} where person_id = ${server.userId}`),
  )
}

function setEnforced(isOn: boolean) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update account set account_enforce_mfa = ${isOn} where account_id = ${account?._id}`),
  )
}
