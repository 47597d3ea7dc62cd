import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from './collections/test-items.ts'
import { linkIn, openTestMailbox } from './mail/test-mailbox.ts'
import { type Item, startOwnServer, type TestUser } from './test-server.ts'

const mailbox = await openTestMailbox()
const server = await startOwnServer({ smtpUrl: mailbox.url })
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})

const make = (ask: TestUser['ask'], collection: Written, fields: Record<string, unknown> = {}) =>
  makeItem({ ask, collection, fields })

async function makeAccount(name: string, above = server.account) {
  const ref = `${name}-${randomUUID().slice(0, 8)}`
  const { _id } = await make(server.in(above), 'accounts', { ref, name: ref })
  return { _id, ref, ask: server.in(ref) }
}
/** Two customers, and a user of the second who has a sign-in. */
async function makeCustomers() {
  const [one, other] = [await makeAccount('one'), await makeAccount('other')]
  return { one, other, person: await server.signInAs({ role: 'reportingUser', account: other.ref }) }
}

async function invitationsOf(person: TestUser) {
  return (await person.in('null')('GET', '/api/users/me/invitations')).items
}
function answer(person: TestUser, invitation: Item | undefined, isAccepted = true) {
  const path = `/api/users/me/invitations/${invitation?._id}`
  return person.in('null')('POST', path, { body: { accept: isAccepted } })
}

test('§1 an invitation ends when the invited user has another email, and no longer gives them the user of the account', async () => {
  const { one, person } = await makeCustomers()
  const created = await make(one.ask, 'users', { email: person.email, role: 'admin' })
  const card = await make(one.ask, 'credentials', { number: randomUUID().slice(0, 13), user: created._id })
  const [invitation] = await invitationsOf(person)
  await server.database.asSystem((tx) =>
    tx.run(sql`update person set person_email = ${`new-${person.email}`} where person_id = ${person.userId}`),
  )
  const path = `/api/users/${created._id}`
  expect((await one.ask('POST', `${path}/resendVerificationToken`)).status).toBe(204)
  expect(await mailbox.newest(person.email, { subject: 'Your access' })).toContain(created._id)
  const late = await answer(person, invitation)
  expect([late.status, late.error.code, await invitationsOf(person)]).toEqual([422, 'link_ended', []])
  expect((await one.ask('GET', path)).item).toMatchObject({ email: person.email, role: 'admin' })
  expect((await one.ask('GET', `/api/credentials/${card._id}`)).item).toMatchObject({ user: created._id })
  const audit = await one.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: created._id })}`)
  expect(audit.items).toMatchObject([{ action: 'patch', before: {}, after: {} }, { action: 'create' }])
})

test('§7 removeAccount: of concurrent removals from the last two accounts, one is refused', async () => {
  const { one, other } = await makeCustomers()
  for (let round = 0; round < 5; round += 1) {
    const user = await make(one.ask, 'users')
    const path = `/api/users/${user._id}`
    await one.ask('PATCH', `${path}/addAccounts`, { body: { accountIds: [other._id] } })
    const removals = [one, other].map(({ _id, ask }) =>
      ask('PATCH', `${path}/removeAccount`, { body: { account: _id } }),
    )
    expect((await Promise.all(removals)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  }
})

test('§1 a user who accepts one of two accounts joins groups and rules above, and keeps the user of the other in them', async () => {
  const { one, person } = await makeCustomers()
  const [branch, second] = [await makeAccount('branch', one.ref), await makeAccount('second', one.ref)]
  const created = await make(branch.ask, 'users', { email: person.email })
  const body = { accountIds: [second._id] }
  expect((await branch.ask('PATCH', `/api/users/${created._id}/addAccounts`, { body })).status).toBe(200)
  const group = await make(one.ask, 'userGroups', { members: [created._id] })
  const invitations = await invitationsOf(person)
  const [first, other] = [branch, second].map(({ ref }) => invitations.find(({ account }) => account === ref))
  const members = async () => (await one.ask('GET', `/api/userGroups/${group._id}`)).item['members']
  expect((await answer(person, first)).status).toBe(204)
  expect(await members()).toEqual(expect.arrayContaining([created._id, person.userId]))
  expect((await answer(person, other)).status).toBe(204)
  expect(await members()).toEqual([person.userId])
})

test.each(['removeAccount', 'DELETE'])(
  '§7 %s by the home account passes the identity to the oldest accepted account',
  async (call) => {
    const { one, other, person } = await makeCustomers()
    const third = await makeAccount('third')
    const path = `/api/users/${person.userId}`
    const add = (account: string) => other.ask('PATCH', `${path}/addAccounts`, { body: { accountIds: [account] } })
    await add(third._id)
    await add(one._id)
    const [waiting, accepted] = await invitationsOf(person)
    expect((await answer(person, accepted)).status).toBe(204)
    const rename = async (ask: TestUser['ask'], name: string) => (await ask('PATCH', path, { body: { name } })).status
    expect(await rename(one.ask, 'Renamed')).toBe(422)
    const removed =
      call === 'DELETE'
        ? await other.ask('DELETE', path)
        : await other.ask('PATCH', `${path}/removeAccount`, { body: { account: other._id } })
    expect(removed.status).toBe(call === 'DELETE' ? 204 : 200)
    expect([await rename(third.ask, 'Third'), await rename(one.ask, 'Renamed')]).toEqual([422, 200])
    const manager = await server.signInAs({ role: 'admin', account: one.ref })
    expect((await manager.ask('POST', `${path}/mfaReset`)).status).toBe(204)
    expect((await one.ask('DELETE', path)).status).toBe(204)
    expect(await rename(third.ask, 'Third')).toBe(422)
    expect((await answer(person, waiting)).status).toBe(204)
    expect(await rename(third.ask, 'Third')).toBe(200)
  },
)

test('§1 an email that its first account never confirmed belongs to the user who accepts the invitation of another', async () => {
  const [one, other] = [await makeAccount('one'), await makeAccount('other')]
  const email = `${randomUUID()}@portcullis.example`
  const unconfirmed = {
    name: 'Entered first',
    email,
    role: 'admin',
    password: 'seven quiet lighthouses',
    verified: false,
  }
  const first = await make(one.ask, 'users', unconfirmed)
  const credentials = { email, password: unconfirmed.password }
  const signIn = () => server.ask('POST', '/api/auth/login', { body: credentials, headers: { cookie: '' } })
  const created = await make(other.ask, 'users', { name: 'Chief', email, role: 'accountManager' })
  const path = `/api/users/${created._id}`
  const shown = async () => (await one.ask('GET', `/api/users/${first._id}`)).item
  const before = await shown()
  expect((await signIn()).json).toMatchObject({ verified: false })

  const [, token] = /invitation#([\w-]{43})/.exec(await mailbox.newest(email, { subject: 'Invitation to' })) ?? []
  expect((await server.ask('POST', '/api/invitation/answer', { body: { token, accept: true } })).status).toBe(204)
  expect((await other.ask('GET', path)).item).toMatchObject({ name: 'Chief', email, verified: true })
  const link = linkIn(await mailbox.newest(email, { subject: 'Your access' }))
  expect(link.userId).toBe(created._id)
  expect((await signIn()).error.code).toBe('wrong_credentials')

  expect(await shown()).toEqual(before)
  expect((await one.ask('PATCH', `/api/users/${first._id}`, { body: { name: 'Owned' } })).status).toBe(200)
  const attacker = await server.signInAs({ role: 'admin', account: one.ref })
  expect((await attacker.ask('POST', `${path}/mfaReset`)).status).toBe(404)
  expect((await other.ask('PATCH', path, { body: { name: 'Chief executive' } })).status).toBe(200)
  const audit = await other.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: created._id })}`)
  expect(audit.items[1]).toMatchObject({ action: 'patch', actorName: 'Chief', after: { verified: true } })

  const person = await server.signIn(email, other.ref)
  expect(person.userId).toBe(created._id)
  const invitations = await invitationsOf(person)
  expect(invitations).toMatchObject([{ account: one.ref, role: 'admin', invitedBy: one.ref }])
  expect((await answer(person, invitations[0])).status).toBe(204)
  expect((await one.ask('GET', `/api/users/${created._id}`)).item).toMatchObject({
    name: 'Chief executive',
    role: 'admin',
  })
})

/** The emails with invitations that were queued for an address. */
function mailsTo(email: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`select from mail where mail_to_address = ${email} and mail_kind = 'membership'`),
  )
}

test('§1 an account that creates a user again and again sends them few emails, and sees no difference', async () => {
  const { one, person } = await makeCustomers()
  for (let round = 0; round < 12; round += 1) {
    const created = await make(one.ask, 'users', { email: person.email })
    expect((await one.ask('DELETE', `/api/users/${created._id}`)).status).toBe(204)
  }
  await make(one.ask, 'users', { email: person.email })
  expect(await mailsTo(person.email)).toBe(5)
  expect(await invitationsOf(person)).toMatchObject([{ account: one.ref }])
})

test('§1 an account sends at most 50 emails with invitations an hour, and a link that arrived keeps working', async () => {
  const { one, person } = await makeCustomers()
  const created = await make(one.ask, 'users', { email: person.email })
  const [invitation] = await invitationsOf(person)
  const key = await server.keyOf(one.ref)
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into membership_mail (membership_mail_to, membership_mail_account)
      select 'filler-' || number || '@portcullis.example', ${key} from generate_series(2, 50) number`),
  )
  expect((await one.ask('POST', `/api/users/${created._id}/resendVerificationToken`)).status).toBe(204)
  expect([await mailsTo(person.email), await invitationsOf(person)]).toEqual([1, [invitation]])
  const late = await server.signInAs({ role: 'reportingUser' })
  await make(one.ask, 'users', { email: late.email })
  expect([await mailsTo(late.email), await invitationsOf(late)]).toMatchObject([0, [{ account: one.ref }]])
})

test('§1 an invitation to an account to which the user belongs already ends when they accept it', async () => {
  const { one, other, person } = await makeCustomers()
  await make(one.ask, 'users', { email: person.email })
  const [invitation] = await invitationsOf(person)
  const body = { accountIds: [one._id] }
  expect((await other.ask('PATCH', `/api/users/${person.userId}/addAccounts`, { body })).error.code).toBe('taken')
  await server.database.asSystem(async (tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account)
      values (${person.userId}, ${await server.keyOf(one.ref)})`),
  )
  expect((await answer(person, invitation)).error.code).toBe('already_member')
  expect((await answer(person, invitation)).error.code).toBe('link_ended')
  expect(await invitationsOf(person)).toEqual([])
})
