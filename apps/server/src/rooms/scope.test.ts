import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { tableOf } from '../query/columns.ts'
import { makeItem, type Written, written } from '../collections/test-items.ts'
import { storeTask } from '../collections/test-tasks.ts'
import { startTestServer } from '../test-server.ts'
import { connectTestSocket } from '../test-socket.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'from' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'to' } })

const movable = [...written.filter((name) => name !== 'users' && name !== 'accounts'), 'tasks'] as const

test.each(movable)(
  '§1 %s: an item that moves to another account is a remove in one room and a save in the other',
  async (name) => {
    const { entity } = collections[name]
    const [left, entered] = [await connectionIn(`${entity}:from:*`), await connectionIn(`${entity}:to:*`)]
    const [from, to] = [await server.keyOf('from'), await server.keyOf('to')]
    const id = name === 'tasks' ? await storeTask(server.database, { account: from }) : await made(name)
    const { name: table, account, id: key } = tableOf(collections[name])
    await server.database.asSystem((tx) => tx.run(sql`update ${table} set ${account} = ${to} where ${key} = ${id}`))
    await expect.poll(() => left.of(id).at(-1)).toBe(`${entity}:remove`)
    await expect.poll(() => entered.of(id)).toEqual([`${entity}:save`])
    const { json } = await server.in('to')('GET', `/api/${name}/${id}`)
    expect(entered.received.at(-1)?.body).toEqual(json)
  },
)

test('§1 users: a user added to a group, removed from it, or whose group is deleted, is sent again', async () => {
  const connection = await connectionIn('user:from:*')
  const inFrom = server.in('from')
  const user = await made('users')
  const lastGroups = () => connection.received.findLast(({ body }) => body._id === user)?.body['groups']
  const group = await made('userGroups')
  const members = (ids: string[]) => inFrom('PATCH', `/api/userGroups/${group}`, { body: { members: ids } })
  await members([user])
  await expect.poll(lastGroups).toEqual([group])
  await members([])
  await expect.poll(lastGroups).toEqual([])
  await members([user])
  await expect.poll(lastGroups).toEqual([group])
  await inFrom('DELETE', `/api/userGroups/${group}`)
  await expect.poll(lastGroups).toEqual([])
})

test('§1 userGroups: the room of a group receives changes of its members that are made at the users', async () => {
  const [above, below] = [await connectionIn(`userGroup:${server.account}:*`), await connectionIn('userGroup:from:*')]
  const inFrom = server.in('from')
  const [group, user] = [await made('userGroups'), await made('users')]
  const lastMembers = () => below.received.findLast(({ body }) => body._id === group)?.body['members']
  await inFrom('PATCH', `/api/users/${user}`, { body: { groups: [group] } })
  await expect.poll(lastMembers).toEqual([user])
  await inFrom('DELETE', `/api/users/${user}`)
  await expect.poll(lastMembers).toEqual([])

  const receivedBefore = below.of(group).length
  const { _id: stranger } = await makeItem({ ask: server.ask, collection: 'users' })
  await server.ask('PATCH', `/api/users/${stranger}`, { body: { groups: [group] } })
  await expect.poll(() => below.of(group).length).toBe(receivedBefore + 1)
  expect(lastMembers()).toEqual((await inFrom('GET', `/api/userGroups/${group}`)).item['members'])
  expect(above.of(group)).toEqual([])
})

test('§1 users: more new members at once than are sent one by one make clients read the list again', async () => {
  const connection = await connectionIn('user:from:*')
  const account = await server.keyOf('from')
  const ids = Array.from({ length: 501 }, () => uuidv7())
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into person (person_id, person_home, person_name)
      select id, ${account}, 'One of many' from unnest(${ids}::uuid[]) id`)
    await tx.run(sql`insert into membership (membership_user, membership_account)
      select id, ${account} from unnest(${ids}::uuid[]) id`)
  })
  const group = await made('userGroups')
  await server.in('from')('PATCH', `/api/userGroups/${group}`, { body: { members: ids } })
  const notices = () => connection.notices.filter(([notice]) => notice === 'refetch').map(([, data]) => data)
  await expect.poll(notices).toEqual([expect.objectContaining({ room: 'user:from:*' })])
  expect(connection.of(ids[0] ?? '')).toEqual([])
})

test('§1 users: a user renamed in their home account is renamed in all their accounts', async () => {
  const connection = await connectionIn('user:to:*')
  const user = await made('users')
  const account = await server.keyOf('to')
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account) values (${user}, ${account})`),
  )
  await server.in('from')('PATCH', `/api/users/${user}`, { body: { name: 'Newly Wed' } })
  const { json } = await server.in('to')('GET', `/api/users/${user}`)
  expect(json).toMatchObject({ name: 'Newly Wed' })
  await expect.poll(() => connection.received.findLast(({ body }) => body._id === user)?.body).toEqual(json)
})

test('§1 accounts: a new account below, its changes, its move and its end are received in the rooms of the accounts above', async () => {
  const [main, from, to] = [
    await connectionIn(`account:${server.account}:*`),
    await connectionIn('account:from:*'),
    await connectionIn('account:to:*'),
  ]
  const { _id, ref } = await makeItem({ ask: server.in('from'), collection: 'accounts' })
  await expect.poll(() => main.of(_id)).toEqual(['account:save'])
  await expect.poll(() => from.of(_id)).toEqual(['account:save'])
  const inIt = server.in(String(ref))
  await inIt('PATCH', `/api/accounts/${_id}`, { body: { name: 'Renamed' } })
  const { json } = await inIt('GET', `/api/accounts/${_id}`)
  for (const connection of [main, from]) {
    await expect.poll(() => connection.received.findLast(({ body }) => body._id === _id)?.body).toEqual(json)
  }
  expect(to.of(_id)).toEqual([])

  const [key, above, below] = [await server.keyOf(String(ref)), await server.keyOf('from'), await server.keyOf('to')]
  await server.database.asSystem(async (tx) => {
    await tx.run(
      sql`delete from account_closure where account_closure_descendant = ${key} and account_closure_ancestor = ${above}`,
    )
    await tx.run(sql`insert into account_closure values (${below}, ${key}, 1)`)
    await tx.run(sql`update account set account_parent = (select account_id from account where account_key = ${below})
      where account_key = ${key}`)
  })
  await expect.poll(() => from.of(_id).at(-1)).toBe('account:remove')
  await expect.poll(() => to.of(_id).at(-1)).toBe('account:save')
  await inIt('DELETE', `/api/accounts/${_id}`)
  await expect.poll(() => to.of(_id).at(-1)).toBe('account:remove')
  await expect.poll(() => main.of(_id).at(-1)).toBe('account:remove')
})

test('§1 credentials: each user receives the numbers that GET shows them', async () => {
  const managers = await server.signInAs({ role: 'accountManager', account: 'from' })
  const rooms = ['credential:from:*', 'auditLog:from:*'] as const
  const [all, some] = [await connectionIn(...rooms), await connectionOf(managers.headers, rooms)]
  const { _id } = await makeItem({
    ask: server.in('from'),
    collection: 'credentials',
    fields: { kind: 'iButton', number: engravedNumber(10) },
  })
  for (const [connection, ask, number] of [
    [all, server.in('from'), engravedNumber(10)],
    [some, managers.ask, null],
  ] as const) {
    const { json } = await ask('GET', `/api/credentials/${_id}`)
    expect(json).toMatchObject({ number })
    await expect.poll(() => connection.received.find(({ body }) => body._id === _id)?.body).toEqual(json)
    const logged = () => connection.received.find(({ body }) => body['item'] === _id)?.body['after']
    await expect.poll(logged).toMatchObject({ kind: 'iButton', number })
  }
})

async function made(name: Written) {
  return (await makeItem({ ask: server.in('from'), collection: name }))._id
}

function connectionIn(...rooms: string[]) {
  return connectionOf(server.headers, rooms)
}

async function connectionOf(headers: Record<string, string>, rooms: readonly string[]) {
  const connection = await connectTestSocket({ url: server.url, headers })
  onTestFinished(connection.close)
  for (const room of rooms) expect(await connection.join(room)).toBe('ok')
  return connection
}
