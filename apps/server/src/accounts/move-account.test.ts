import { moveAccount } from '@portcullis/contract/calls/accounts'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startAnotherServer } from '../test-servers.ts'
import { request, startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

let count = 0

/** A separate tree for each test: `top`, `left` and `right` below it, and `moved` with `inner` below `left`. */
async function makeTree() {
  count += 1
  const make = async (name: string, above: string) => {
    const ref = `${name}-${count}`
    const item = await makeItem({ ask: server.in(above), collection: 'accounts', fields: { ref, name: ref } })
    return { ref, _id: item._id, ask: server.in(ref), key: await server.keyOf(ref) }
  }
  const top = await make('top', server.account)
  const [left, right] = [await make('left', top.ref), await make('right', top.ref)]
  const moved = await make('moved', left.ref)
  return { top, left, right, moved, inner: await make('inner', moved.ref) }
}

const move = (ask: TestUser['ask'], account: string, body: Record<string, unknown>) =>
  ask('POST', `/api/accounts/${account}/move`, { body })

async function depthsBelow(key: number) {
  const row = z.object({ descendant: z.int(), depth: z.int() })
  const rows = await server.database.asSystem((tx) =>
    tx.rows(
      row,
      sql`select account_closure_descendant as descendant, account_closure_depth as depth from account_closure
           where account_closure_ancestor = ${key}`,
    ),
  )
  return new Map(rows.map(({ descendant, depth }) => [descendant, depth]))
}

test('§3 moving accounts: the accounts below move too, and roles apply by the new parent at once', async () => {
  const { top, left, right, moved, inner } = await makeTree()
  const [before, after] = [
    await server.signInAs({ role: 'admin', account: left.ref }),
    await server.signInAs({ role: 'admin', account: right.ref }),
  ]
  expect((await before.in(inner.ref)('GET', '/api/sites')).status).toBe(200)
  expect((await after.in(inner.ref)('GET', '/api/sites')).status).toBe(403)

  const answer = await move(top.ask, moved._id, { parent: right._id })
  expect([answer.status, answer.json]).toMatchObject([
    200,
    { moved: true, account: { _id: moved._id, parent: right._id } },
  ])
  expect((await before.in(inner.ref)('GET', '/api/sites')).status).toBe(403)
  expect((await after.in(inner.ref)('GET', '/api/sites')).status).toBe(200)
  expect(await depthsBelow(right.key)).toEqual(
    new Map([
      [right.key, 0],
      [moved.key, 1],
      [inner.key, 2],
    ]),
  )
  expect(await depthsBelow(left.key)).toEqual(new Map([[left.key, 0]]))
  expect((await depthsBelow(top.key)).get(inner.key)).toBe(3)
})

test('§3 moving accounts: a dry run reports who gains and who loses access, and moves nothing', async () => {
  const { top, left, right, moved } = await makeTree()
  const [loser, gainer] = [
    await server.signInAs({ role: 'installer', account: left.ref }),
    await server.signInAs({ role: 'reportingUser', account: right.ref }),
  ]
  await server.signInAs({ role: 'appUser', account: right.ref })
  const { status, json } = await move(top.ask, moved._id, { parent: right._id, dryRun: true })
  expect(status).toBe(200)
  expect(moveAccount.output.parse(json)).toMatchObject({
    moved: false,
    account: { parent: left._id },
    gains: {
      count: 1,
      people: [{ _id: gainer.userId, name: 'A reportingUser', before: null, after: 'reportingUser' }],
    },
    loses: { count: 1, people: [{ _id: loser.userId, before: 'installer', after: null }] },
    changes: { count: 0 },
  })
  expect((await moved.ask('GET', `/api/accounts/${moved._id}`)).item['parent']).toBe(left._id)
})

test('§3 moving accounts: no cycle, not the current account, not without the right to manage', async () => {
  const { top, left, right, moved, inner } = await makeTree()
  for (const parent of [moved._id, inner._id]) {
    const { status, error } = await move(top.ask, moved._id, { parent })
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'account_below_itself', ['parent']])
  }
  expect((await move(moved.ask, moved._id, { parent: inner._id })).error.code).toBe('account_is_current')
  expect((await move(left.ask, moved._id, { parent: right._id })).error.code).toBe('unknown_reference')
  expect((await move(right.ask, moved._id, { parent: right._id })).status).toBe(404)
  expect((await move(top.ask, moved._id, { parent: 'right' })).status).toBe(400)

  // A nearer role that allows less counts, in whichever of the three accounts it is held.
  for (const { ref } of [right, left, moved]) {
    const person = await server.signInAs({ role: 'admin', account: top.ref })
    const key = await server.keyOf(ref)
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${key}, 'reportingUser')`),
    )
    expect((await move(person.in(top.ref), moved._id, { parent: right._id })).status, ref).toBe(403)
  }
})

test('§3 moving accounts: events and history keep their account, and the move has its own entry', async () => {
  const { top, left, right, moved } = await makeTree()
  const site = await makeItem({ ask: moved.ask, collection: 'sites' })
  await move(top.ask, moved._id, { parent: right._id })
  const log = await moved.ask('GET', '/api/auditLogs')
  expect(log.items.map(({ account }) => account)).toEqual(log.items.map(() => moved._id))
  expect(log.items.map(({ item }) => item)).toContain(site._id)
  const [entry] = log.items
  expect(entry).toMatchObject({
    item: moved._id,
    action: 'patch',
    before: { parent: left._id },
    after: { parent: right._id },
  })
  expect(entry?.['policyVersion']).toBeGreaterThan(1)
})

test('§3 moving accounts: sockets leave rooms, and clients that show either parent refetch', async () => {
  const { top, left, right, moved } = await makeTree()
  const person = await server.signInAs({ role: 'admin', account: left.ref })
  const connection = await connectTestSocket({ url: server.url, headers: person.headers })
  onTestFinished(connection.close)
  for (const room of [`site:${moved.ref}:*`, `account:${left.ref}:*`]) expect(await connection.join(room)).toBe('ok')
  await move(top.ask, moved._id, { parent: right._id })
  await expect
    .poll(() => connection.notices)
    .toContainEqual(['left', { room: `site:${moved.ref}:*`, code: 'account_refused' }])
  await expect
    .poll(() => connection.notices)
    .toContainEqual(['refetch', expect.objectContaining({ room: `account:${left.ref}:*` })])
})

test('§3 moving accounts: of two concurrent moves on two servers that form a cycle, one is refused', async () => {
  const { url } = await startAnotherServer(server.databaseUrl)
  for (let round = 0; round < 8; round += 1) {
    const { top, left, right } = await makeTree()
    const at = (base: string, account: string, parent: string) =>
      request(`${base}/api/accounts/${account}/move`, {
        method: 'POST',
        body: { parent },
        headers: { ...server.headers, 'x-js-account': top.ref },
      })
    const answers = await Promise.all([at(server.url, left._id, right._id), at(url, right._id, left._id)])
    const [done, refused] = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(done).toBe(200)
    expect([409, 422]).toContain(refused)
    const depths = await depthsBelow(top.key)
    expect(new Set([depths.get(left.key), depths.get(right.key)])).toEqual(new Set([1, 2]))
    expect((await depthsBelow(left.key)).has(right.key)).not.toBe((await depthsBelow(right.key)).has(left.key))
  }
})
