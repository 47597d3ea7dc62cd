import { randomUUID } from 'node:crypto'
import { roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from './collections/test-items.ts'
import { openTestMailbox } from './mail/test-mailbox.ts'
import { makeToken } from './sessions/token.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { type Item, startOwnServer, type TestUser } from './test-server.ts'

const mailbox = await openTestMailbox()
const server = await startOwnServer({ smtpUrl: mailbox.url })
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})
const patience = { timeout: 60_000 }

/** Two customers side by side, each with a branch and an administrator. */
async function makeCustomers() {
  const number = randomUUID().slice(0, 8)
  const account = async (name: string, above = server.account) => {
    const ref = `${name}-${number}`
    const { _id } = await makeItem({ ask: server.in(above), collection: 'accounts', fields: { ref, name: ref } })
    return { _id, ref, ask: server.in(ref) }
  }
  const [one, other] = [await account('one'), await account('other')]
  const branch = await account('branch', one.ref)
  const admin = await server.signInAs({ role: 'admin', account: one.ref })
  return { one, other, branch, admin }
}

const make = (ask: TestUser['ask'], collection: Written, fields: Record<string, unknown> = {}) =>
  makeItem({ ask, collection, fields })
const accountsOf = ({ items }: { items: Item[] }) => items.map(({ ref, role, isInvited }) => ({ ref, role, isInvited }))

function add(ask: TestUser['ask'], user: string, body: { accountIds: string[]; role?: string }) {
  return ask('PATCH', `/api/users/${user}/addAccounts`, { body })
}
function remove(ask: TestUser['ask'], user: string, account: string) {
  return ask('PATCH', `/api/users/${user}/removeAccount`, { body: { account } })
}

async function invitationTo(email: string) {
  const body = await mailbox.newest(email, { subject: 'Invitation to another account' })
  return /\/authentication\/invitation#([\w-]{43})/.exec(body)?.[1] ?? ''
}

const anonymous = (path: string, body: unknown) => server.ask('POST', path, { body, headers: { cookie: '' } })

async function invitationsOf(person: TestUser) {
  return (await person.in('null')('GET', '/api/users/me/invitations')).items
}
async function accept(person: TestUser) {
  const [invitation] = await invitationsOf(person)
  const path = `/api/users/me/invitations/${invitation?._id}`
  return person.in('null')('POST', path, { body: { accept: true } })
}
const refsOf = async (person: TestUser) => (await person.client.me(null)).user.accounts.map(({ ref }) => ref)

test('§3 one user, several accounts: a user who signs in accepts the role in another account themselves', async () => {
  const { one, branch, admin } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: one.ref })
  const added = await add(admin.ask, person.userId, { accountIds: [branch._id], role: 'accessManager' })
  expect([added.status, accountsOf(added)]).toEqual([
    200,
    [
      { ref: branch.ref, role: 'accessManager', isInvited: true },
      { ref: one.ref, role: 'reportingUser', isInvited: false },
    ],
  ])
  const create = () => person.in(branch.ref)('POST', '/api/userGroups', { body: { name: 'Visitors' } })
  expect([(await create()).status, await refsOf(person)]).toEqual([403, [one.ref]])
  expect(await invitationsOf(person)).toMatchObject([
    { account: branch.ref, role: 'accessManager', invitedBy: 'A admin' },
  ])
  expect((await accept(person)).status).toBe(204)
  expect([(await create()).status, await refsOf(person)]).toEqual([201, [one.ref, branch.ref]])
  expect(await invitationsOf(person)).toEqual([])
  const audit = `/api/auditLogs?filter=${JSON.stringify({ item: person.userId })}`
  expect((await branch.ask('GET', audit)).items.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['patch', 'A reportingUser'],
    ['create', 'A admin'],
  ])
})

test('§3 one user, several accounts: a cardholder without an email belongs to the other account at once', async () => {
  const { one, branch, admin } = await makeCustomers()
  const user = await make(one.ask, 'users')
  expect(accountsOf(await add(admin.ask, user._id, { accountIds: [branch._id] }))).toContainEqual({
    ref: branch.ref,
    role: 'appUser',
    isInvited: false,
  })
  const again = await add(admin.ask, user._id, { accountIds: [branch._id] })
  expect([again.status, again.error.code]).toEqual([409, 'already_member'])
})

test.each(roles)('§7 addAccounts with the role %s needs the right to manage it in each account', async (role) => {
  const { one, branch } = await makeCustomers()
  const manager = await server.signInAs({ role: 'accessManager', account: one.ref })
  const user = await make(one.ask, 'users')
  const { status, error } = await add(manager.ask, user._id, { accountIds: [branch._id], role })
  expect([status, Object.keys(error.fields)]).toEqual(role === 'appUser' ? [200, []] : [403, ['role']])
})

test('§7 addAccounts adds to all accounts or to none, and a nearer role that allows less refuses', async () => {
  const { one, branch } = await makeCustomers()
  const manager = await server.signInAs({ role: 'admin', account: one.ref })
  const second = await make(one.ask, 'accounts', { ref: `second-${branch.ref}`, name: 'Second' })
  await server.database.asSystem(async (tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${manager.userId}, ${await server.keyOf(branch.ref)}, 'reportingUser')`),
  )
  const user = await make(one.ask, 'users')
  const refused = await add(manager.ask, user._id, { accountIds: [second._id, branch._id] })
  expect([refused.status, refused.error.code]).toEqual([403, 'forbidden'])
  expect((await one.ask('GET', `/api/users/${user._id}/accounts`)).items).toHaveLength(1)
})

test('§7 addAccounts and removeAccount answer an account out of scope like an unknown one', async () => {
  const { one, other, admin } = await makeCustomers()
  const user = await make(one.ask, 'users')
  for (const call of [
    (account: string) => add(admin.ask, user._id, { accountIds: [account] }),
    (account: string) => remove(admin.ask, user._id, account),
  ]) {
    const [outside, unknown] = [await call(other._id), await call(uuidv7())]
    expect([outside.status, outside.error.code]).toEqual([422, 'unknown_reference'])
    expect(outside.error).toEqual(unknown.error)
  }
  const stranger = await make(other.ask, 'users')
  const [outside, unknown] = [
    await add(admin.ask, stranger._id, { accountIds: [one._id] }),
    await add(admin.ask, uuidv7(), { accountIds: [one._id] }),
  ]
  expect([outside.status, outside.error]).toEqual([404, unknown.error])
})

test('§7 removeAccount keeps the last account in sight, and shows no other', async () => {
  const { one, other, branch, admin } = await makeCustomers()
  const user = await make(one.ask, 'users')
  await add(server.in(one.ref), user._id, { accountIds: [other._id] })
  const refused = await remove(admin.ask, user._id, one._id)
  expect([refused.status, refused.error.code]).toEqual([422, 'last_account'])
  expect((await admin.ask('GET', `/api/users/${user._id}/accounts`)).items.map(({ ref }) => ref)).toEqual([one.ref])
  await add(admin.ask, user._id, { accountIds: [branch._id] })
  const removed = await remove(admin.ask, user._id, one._id)
  expect([removed.status, accountsOf(removed)]).toEqual([200, [{ ref: branch.ref, role: 'appUser', isInvited: false }]])
  const self = await remove(admin.ask, admin.userId, one._id)
  expect([self.status, self.error.code]).toEqual([422, 'last_account'])
})

test('§7 removeAccount ends the role, the access at the doors and the places in groups of that account alone', async () => {
  const { one, branch, admin } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: one.ref })
  await add(admin.ask, person.userId, { accountIds: [branch._id], role: 'accessManager' })
  await accept(person)
  const inBoth = await make(one.ask, 'userGroups', { members: [person.userId] })
  const inBranch = await make(branch.ask, 'userGroups', { members: [person.userId] })
  const number = randomUUID().slice(0, 13)
  const card = await make(branch.ask, 'credentials', { kind: 'card', number, user: person.userId })
  const wired = await wiredDoor(branch.ask)
  const who = [{ kind: 'User', id: person.userId }]
  const rule = await make(branch.ask, 'rules', { who, where: [{ kind: 'Door', id: wired.door }] })
  const controller = await startUnit({ url: server.url, ask: branch.ask }, wired)
  const present = async () => (await controller.present({ door: 1, kind: 'card', number, direction: 'entry' })).verdict
  await expect.poll(present, patience).toBe('grant')

  const removed = await remove(admin.ask, person.userId, branch._id)
  expect([removed.status, accountsOf(removed).map(({ ref }) => ref)]).toEqual([200, [one.ref]])
  await expect.poll(present, patience).toBe('deny')
  const refused = await person.in(branch.ref)('POST', '/api/userGroups', { body: { name: 'Visitors' } })
  expect([refused.status, await refsOf(person)]).toEqual([403, [one.ref]])
  const item = async (ask: TestUser['ask'], path: string) => (await ask('GET', `/api/${path}`)).item
  expect(await item(branch.ask, `credentials/${card._id}`)).toMatchObject({ user: null, status: 'active' })
  expect(await item(branch.ask, `rules/${rule._id}`)).toMatchObject({ who: [] })
  expect(await item(branch.ask, `userGroups/${inBranch._id}`)).toMatchObject({ members: [] })
  expect(await item(one.ask, `userGroups/${inBoth._id}`)).toMatchObject({ members: [person.userId] })
})

test('§1 a user with the email of another account’s user is created like any other, and no answer shows the difference', async () => {
  const { one, other } = await makeCustomers()
  const person = await server.signInAs({ role: 'admin', account: other.ref })
  const manager = await server.signInAs({ role: 'accountManager', account: one.ref })
  await one.ask('PATCH', `/api/accounts/${one._id}`, { body: { recertifyEveryDays: 1 } })
  const answers = async (email: string) => {
    const ask = manager.ask
    const created = await ask('POST', '/api/users', { body: { name: 'Created', email, role: 'accessManager' } })
    const path = `/api/users/${created.item._id}`
    const all = [
      created,
      await ask('GET', path),
      await ask('GET', `${path}/accounts`),
      await ask('GET', `/api/users/recertifyable?search=${email}`),
      await ask('PATCH', path, { body: { title: 'Porter' } }),
      await ask('PATCH', path, { body: { name: 'Renamed' } }),
      await ask('POST', `${path}/resendVerificationToken`),
      await ask('POST', `${path}/mfaReset`),
      await ask('POST', '/api/users', { body: { name: 'Again', email } }),
      await ask('DELETE', path),
    ]
    return all.map(({ status, json }) => [
      status,
      JSON.stringify(json ?? null)
        .replaceAll(created.item._id, 'id')
        .replaceAll(email, 'email')
        .replaceAll(/"((created|updated|lastRecertified)At|requestId|recertifyBy)":"[^"]*"/g, ''),
    ])
  }
  const known = await answers(person.email)
  expect(known).toEqual(await answers('fresh@portcullis.example'))
  expect(known[3]?.[1]).toContain('"email":"email"')
  expect(known.map(([status]) => status)).toEqual([201, 200, 200, 200, 200, 200, 204, 204, 409, 204])
  expect((await person.client.me(null)).user).toMatchObject({ name: 'A admin', accounts: [{ ref: other.ref }] })
})

test('§1 an invited user accepts with the link, and takes over the cards and groups that were prepared for them', async () => {
  const { one, other } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: other.ref })
  const created = await make(one.ask, 'users', { name: 'Prepared', email: person.email, role: 'accessManager' })
  expect(created).toMatchObject({ name: 'Prepared', email: person.email, verified: false })
  const group = await make(one.ask, 'userGroups', { members: [created._id] })
  const number = randomUUID().slice(0, 13)
  const card = await make(one.ask, 'credentials', { kind: 'card', number, user: created._id })
  const wired = await wiredDoor(one.ask)
  const where = [{ kind: 'Door', id: wired.door }]
  const rule = await make(one.ask, 'rules', { who: [{ kind: 'User', id: created._id }], where })
  const controller = await startUnit({ url: server.url, ask: one.ask }, wired)
  const present = async () => (await controller.present({ door: 1, kind: 'card', number, direction: 'entry' })).verdict
  await expect.poll(present, patience).toBe('grant')
  expect(await refsOf(person)).toEqual([other.ref])

  const token = await invitationTo(person.email)
  const read = await anonymous('/api/invitation', { token })
  expect([read.status, read.json]).toEqual([
    200,
    { account: one.ref, role: 'accessManager', invitedBy: 'Administrator' },
  ])
  expect((await anonymous('/api/invitation/answer', { token, accept: true })).status).toBe(204)
  expect(await refsOf(person)).toEqual([other.ref, one.ref])
  const item = async (path: string) => one.ask('GET', `/api/${path}`)
  expect((await item(`users/${created._id}`)).status).toBe(404)
  expect((await item(`users/${person.userId}`)).item).toMatchObject({
    name: 'A reportingUser',
    role: 'accessManager',
    verified: true,
    groups: [group._id],
  })
  expect((await item(`credentials/${card._id}`)).item).toMatchObject({ user: person.userId, number })
  expect((await item(`rules/${rule._id}`)).item).toMatchObject({ who: [{ kind: 'User', id: person.userId }] })
  expect(await present()).toBe('grant')

  for (const past of [token, makeToken(), 'zebra']) {
    expect((await anonymous('/api/invitation', { token: past })).error.code).toBe('link_ended')
    expect((await anonymous('/api/invitation/answer', { token: past, accept: true })).error.code).toBe('link_ended')
  }
})

test('§1 a declined invitation gives no role, and the account keeps the cardholder', async () => {
  const { one, other } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: other.ref })
  const stranger = await server.signInAs({ role: 'reportingUser', account: other.ref })
  const created = await make(one.ask, 'users', { email: person.email })
  const [invitation] = await invitationsOf(person)
  const path = `/api/users/me/invitations/${invitation?._id}`
  expect((await stranger.ask('POST', path, { body: { accept: true } })).error.code).toBe('link_ended')
  expect((await person.ask('POST', path, { body: { accept: false } })).status).toBe(204)
  expect((await person.ask('POST', path, { body: { accept: true } })).error.code).toBe('link_ended')
  expect([await invitationsOf(person), await refsOf(person)]).toEqual([[], [other.ref]])
  expect((await one.ask('GET', `/api/users/${created._id}`)).item).toMatchObject({ verified: false })
  await one.ask('POST', `/api/users/${created._id}/resendVerificationToken`)
  expect(await invitationsOf(person)).toMatchObject([{ account: one.ref }])
})

test('§1 a hyper user cannot set a password for a user who signs in elsewhere', async () => {
  const { one, other } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: other.ref })
  const body = { name: 'Given', email: person.email, password: 'seven quiet lighthouses', verified: true }
  const { status, error } = await one.ask('POST', '/api/users', { body })
  expect([status, error.code]).toEqual([409, 'taken'])
})

test('§4 a membership that waits neither requires a one-time code nor keeps a suspended user signed in', async () => {
  const { one, other } = await makeCustomers()
  const person = await server.signInAs({ role: 'reportingUser', account: other.ref })
  await server.in(one.ref)('POST', `/api/accounts/${one._id}/enforceMFA`, { body: { enforce: true } })
  await add(server.in(other.ref), person.userId, { accountIds: [one._id] })
  expect((await person.client.me(null)).mfa).toMatchObject({ enforced: false })
  await other.ask('PATCH', `/api/users/${person.userId}`, { body: { status: 'suspended' } })
  expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
})
