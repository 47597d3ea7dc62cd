import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { authenticatorWith, forgetSteps, makeEnrolled, openBrowser } from './test-authenticator.ts'

const server = await startTestServer()
afterAll(server.stop)

const root = await server.client.me()
const north = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
await makeItem({ ask: server.in('north'), collection: 'accounts', fields: { ref: 'far-north' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'south' } })

const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))
const codeOf = ({ status, error }: { status: number; error: { code: string } }) => error.code || status

async function enforce(account: string, isOn: boolean) {
  const id = account === server.account ? root.account?._id : north._id
  const answer = await server.in(account)('POST', `/api/accounts/${id}/enforceMFA`, { body: { enforce: isOn } })
  expect(answer.status).toBe(200)
  return answer
}

async function enforcedUntilTheEnd(account: string) {
  onTestFinished(async () => void (await enforce(account, false)))
  return enforce(account, true)
}

/** The steps that this user's sign-in needs after the password. */
async function demandOf(email: string) {
  const { mfa, mfaEnrolled } = await openBrowser(server).signIn(email)
  if (!mfa) return 'nothing'
  return mfaEnrolled ? 'a code' : 'a setup'
}

async function recordsOf(person: string) {
  const [events, mails] = await server.database.asSystem((tx) =>
    Promise.all([
      tx.rows(
        z.object({ type: z.string() }),
        sql`select event_type as type from event where event_user = ${person}
              and (event_type like '%second_factor%' or event_type like '%recovery%') order by event_occurred_at, event_id`,
      ),
      tx.rows(
        z.object({ kind: z.string() }),
        sql`select mail_kind as kind from mail where mail_person = ${person}
             order by mail_created_at, mail_id`,
      ),
    ]),
  )
  return {
    events: events.map(({ type }) => type.replace('administration.', '')),
    mails: mails.map(({ kind }) => kind),
  }
}

describe('§7 disablemfa, enablemfa', () => {
  test('codes turn off, and on again with the same authenticator app; both changes are recorded and emailed', async () => {
    const { email, userId, browser, authenticator } = await makeEnrolled(server)
    expect((await browser.ask('POST', '/api/users/disablemfa')).status).toBe(204)
    expect(await demandOf(email)).toBe('nothing')
    expect((await browser.ask('GET', '/api/users/me')).json).toMatchObject({ mfa: { enrolled: true, enabled: false } })
    expect((await browser.ask('POST', '/api/users/enablemfa')).status).toBe(204)
    expect(await demandOf(email)).toBe('a code')
    const again = openBrowser(server)
    await again.signIn(email)
    expect((await again.giveCode(authenticator.code())).status).toBe(200)
    const kinds = ['second_factor_on', 'second_factor_off', 'second_factor_on']
    await expect.poll(() => recordsOf(userId)).toEqual({ events: kinds, mails: kinds })
  })

  test('a change to the current setting is not recorded', async () => {
    const { userId, browser } = await makeEnrolled(server)
    expect((await browser.ask('POST', '/api/users/enablemfa')).status).toBe(204)
    expect((await recordsOf(userId)).events).toEqual(['second_factor_on'])
  })

  test('need an enrolled authenticator app', async () => {
    const { ask } = await server.signInAs({ role: 'admin' })
    for (const path of ['enablemfa', 'disablemfa', 'recoveryCodes']) {
      expect(codeOf(await ask('POST', `/api/users/${path}`))).toBe('mfa_not_enrolled')
    }
  })

  test('cannot be turned off where an account enforces it', async () => {
    const { browser } = await makeEnrolled(server, 'far-north')
    await enforcedUntilTheEnd('north')
    expect(codeOf(await browser.ask('POST', '/api/users/disablemfa'))).toBe('mfa_enforced')
    expect((await browser.ask('GET', '/api/users/me')).json).toMatchObject({ mfa: { enforced: true, enabled: true } })
  })
})

describe('§7 recoveryCodes', () => {
  test('are ten new ones, and the previous codes are revoked', async () => {
    const { email, userId, browser, recoveryCodes } = await makeEnrolled(server)
    const { json } = await browser.ask('POST', '/api/users/recoveryCodes')
    const fresh = z.object({ recoveryCodes: z.array(z.string()).length(10) }).parse(json).recoveryCodes
    expect(fresh.filter((code) => recoveryCodes.includes(code))).toEqual([])
    const lost = openBrowser(server)
    await lost.signIn(email)
    expect(codeOf(await lost.giveRecoveryCode(recoveryCodes[0] ?? ''))).toBe('wrong_code')
    expect(codeOf(await lost.giveRecoveryCode(fresh[0] ?? ''))).toBe(200)
    const kinds = ['second_factor_on', 'recovery_codes_renewed', 'recovery_code_used']
    expect(await recordsOf(userId)).toEqual({ events: kinds, mails: kinds })
  })

  test('are not stored in plain text', async () => {
    const { userId, recoveryCodes } = await makeEnrolled(server)
    const rows = await server.database.asSystem((tx) =>
      tx.rows(
        z.object({ row: z.string() }),
        sql`select recovery_code::text as row from recovery_code where recovery_code_person = ${userId}`,
      ),
    )
    expect(rows).toHaveLength(10)
    const plain = recoveryCodes.map((code) => code.replaceAll('-', ''))
    const codeForms = plain.flatMap((code) => [code, Buffer.from(code).toString('hex')])
    expect(codeForms.filter((code) => rows.some(({ row }) => row.includes(code)))).toEqual([])
  })
})

describe('§7 mfaReset', () => {
  const reset = ({ in: inAccount }: Pick<TestUser, 'in'>, target: { account: string; user: string }) =>
    inAccount(target.account)('POST', `/api/users/${target.user}/mfaReset`)

  test('resets the authenticator app and the recovery codes, and notifies the user', async () => {
    const { email, userId, browser } = await makeEnrolled(server, 'north')
    expect(codeOf(await reset(server, { account: 'north', user: userId }))).toBe(204)
    expect(await demandOf(email)).toBe('nothing')
    expect((await browser.ask('GET', '/api/users/me')).json).toMatchObject({
      mfa: { enrolled: false, enabled: false, recoveryCodesLeft: 0 },
    })
    expect((await recordsOf(userId)).events).toEqual(['second_factor_on', 'second_factor_reset'])
    const filter = encodeURIComponent(JSON.stringify({ user: userId, type: 'administration.second_factor_reset' }))
    const { items } = await server.in('north')('GET', `/api/events?filter=${filter}`)
    expect(items).toMatchObject([{ data: { detail: root.user.name, address: '127.0.0.1' } }])
    await expect.poll(async () => (await recordsOf(userId)).mails).toEqual(['second_factor_on', 'second_factor_reset'])
  })

  test.each<['accessManager' | 'installer' | 'reportingUser' | 'appUser']>([
    ['accessManager'],
    ['installer'],
    ['reportingUser'],
    ['appUser'],
  ])('is forbidden to roles that may not manage MFA: %s', async (role) => {
    const [person, other] = [await makeEnrolled(server, 'north'), await server.signInAs({ role, account: 'north' })]
    expect(codeOf(await reset(other, { account: 'north', user: person.userId }))).toBe('forbidden')
    expect(await demandOf(person.email)).toBe('a code')
  })

  test('is refused to users who may not assign that role, and for a hyper user', async () => {
    const manager = await server.signInAs({ role: 'accountManager', account: 'north' })
    const admin = await server.signInAs({ role: 'admin', account: 'north' })
    const { userId } = await makeEnrolled(server, 'north')
    expect(codeOf(await reset(manager, { account: 'north', user: userId }))).toBe('role_out_of_reach')
    await change(sql`update person set person_hyper = true where person_id = ${userId}`)
    expect(codeOf(await reset(admin, { account: 'north', user: userId }))).toBe('hyper_only')
    expect(codeOf(await reset(server, { account: 'north', user: userId }))).toBe(204)
  })

  test('is refused to users who may not assign a role that the user holds in another account', async () => {
    const manager = await server.signInAs({ role: 'accountManager', account: 'north' })
    const admin = await server.signInAs({ role: 'admin', account: 'north' })
    const { email, userId } = await makeEnrolled(server, 'north')
    await change(sql`update membership set membership_role = 'appUser' where membership_user = ${userId}`)
    await change(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${userId}, ${await server.keyOf('south')}, 'admin')`)
    expect(codeOf(await reset(manager, { account: 'north', user: userId }))).toBe('role_out_of_reach')
    expect(await demandOf(email)).toBe('a code')
    expect(codeOf(await reset(admin, { account: 'north', user: userId }))).toBe(204)
  })

  test('needs a user who is visible, and access to their home account', async () => {
    const admin = await server.signInAs({ role: 'admin', account: 'north' })
    const stranger = await makeEnrolled(server, 'south')
    const outcomes = async (user: string) => codeOf(await reset(admin, { account: 'north', user }))
    expect([await outcomes(stranger.userId), await outcomes('nobody')]).toEqual(['not_found', 'not_found'])
    await change(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${stranger.userId}, ${await server.keyOf('north')}, 'appUser')`)
    expect(await outcomes(stranger.userId)).toBe('mfa_home_account')
    expect(await demandOf(stranger.email)).toBe('a code')
  })
})

describe('§7 enforceMFA', () => {
  test('asks all users of the account and its descendants for codes, and no other users', async () => {
    const people = await Promise.all(
      [server.account, 'north', 'far-north', 'south'].map((account) => server.signInAs({ role: 'admin', account })),
    )
    const enrolled = await makeEnrolled(server, 'far-north')
    await enrolled.browser.ask('POST', '/api/users/disablemfa')
    expect(await demandOf(enrolled.email)).toBe('nothing')
    const { headers } = await enforcedUntilTheEnd('north')
    expect(headers.get(historyHeader)).toMatch(/^[0-9a-f-]{36}$/)
    expect(await Promise.all(people.map(({ email }) => demandOf(email)))).toEqual([
      'nothing',
      'a setup',
      'a setup',
      'nothing',
    ])
    expect(await demandOf(enrolled.email)).toBe('a code')
  })

  test('counts only current memberships', async () => {
    const { email, userId } = await server.signInAs({ role: 'admin', account: 'south' })
    await enforcedUntilTheEnd('north')
    const northKey = await server.keyOf('north')
    await change(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${userId}, ${northKey}, 'appUser')`)
    expect(await demandOf(email)).toBe('a setup')
    const membership = sql`membership_user = ${userId} and membership_account = ${northKey}`
    await change(sql`update membership set membership_valid_until = now() where ${membership}`)
    expect(await demandOf(email)).toBe('nothing')
    await change(sql`update membership set membership_valid_until = null, membership_status = 'suspended'
      where ${membership}`)
    expect(await demandOf(email)).toBe('nothing')
  })

  test('needs the right to manage Accounts, and appears in the audit log', async () => {
    const installer = await server.signInAs({ role: 'installer', account: 'north' })
    const refused = await installer.ask('POST', `/api/accounts/${north._id}/enforceMFA`, { body: { enforce: true } })
    expect(codeOf(refused)).toBe('forbidden')
    await enforcedUntilTheEnd('north')
    const filter = encodeURIComponent(JSON.stringify({ collection: 'accounts', item: north._id }))
    const { items } = await server.in('north')('GET', `/api/auditLogs?filter=${filter}`)
    expect(items[0]).toMatchObject({ action: 'patch', after: { enforceMfa: true } })
  })

  test.each([{}, { enforce: 'yes' }, { enforce: true, account: 'x' }])('takes a Boolean, and not %j', async (body) => {
    const answer = await server.in('north')('POST', `/api/accounts/${north._id}/enforceMFA`, { body })
    expect(codeOf(answer)).toBe('bad_request')
  })
})

test('§4 MFA: a new authenticator app replaces the previous one', async () => {
  const { email, userId, browser, authenticator } = await makeEnrolled(server)
  const { key } = await browser.setUp()
  const before = openBrowser(server)
  await before.signIn(email)
  expect(codeOf(await before.giveCode(authenticator.code()))).toBe(200)
  await forgetSteps(server, userId)
  const other = authenticatorWith(key)
  await browser.enrol(other.code())
  const after = openBrowser(server)
  await after.signIn(email)
  expect(codeOf(await after.giveCode(authenticator.code()))).toBe('wrong_code')
  expect(codeOf(await after.giveCode(other.code()))).toBe(200)
})
