import { setImmediate } from 'node:timers'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { startTestServer } from '../test-server.ts'
import { loadPolicy, type Read } from './load-policy.ts'
import { updatePolicy } from './update-policy.ts'

const server = await startTestServer()
afterAll(server.stop)
const { database } = server
const root = await server.keyOf(server.account)
const users = 600
const members = 2_500
await database.asSystem(async (tx) => {
  await tx.run(sql`insert into person (person_id, person_home, person_name)
    select gen_random_uuid(), ${root}, 'User ' || number from generate_series(1, ${users}::int) number`)
  await tx.run(sql`insert into membership (membership_user, membership_account)
    select person_id, person_home from person where person_home = ${root} and person_name like 'User %'`)
})
const { _id: group } = await makeItem({ ask: server.ask, collection: 'userGroups' })
await database.asSystem((tx) =>
  tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    select ${root}, ${group}, 'members', 'users', gen_random_uuid() from generate_series(1, ${members}::int)`),
)

test('other work can run after each item, and after each page of members, that a policy is loaded from', async () => {
  const { read, pages } = watchedRead()
  const { index } = await loadPolicy(read, root, testNumbers())
  expect(index.membershipsOfUser.size).toBeGreaterThanOrEqual(users)
  expect(index.userGroups.members.get(group)).toHaveProperty('size', members)
  const [items, links] = [pages().filter(({ of }) => of === 'items'), pages().filter(({ of }) => of === 'members')]
  expect(Math.max(...items.map(({ rows }) => rows))).toBe(250)
  expect(items.filter(({ rows, turns }) => turns < rows)).toEqual([])
  expect(links).toMatchObject([{ rows: 1_000 }, { rows: 1_000 }, { rows: 500 }])
  expect(links.slice(0, 2).filter(({ turns }) => turns < 1)).toEqual([])
})

test('other work can run after each changed item that is taken over', async () => {
  const tree = await loadPolicy((work) => database.asSystem(work), root, testNumbers())
  const changes = [...tree.index.membershipsOfUser.keys()].map((item, id) => ({
    collection: 'users',
    item,
    xid: 1,
    id,
  }))
  const { read, pages } = watchedRead()
  await updatePolicy(read, tree, changes)
  const taken = pages()
  expect(taken.length).toBeGreaterThanOrEqual(users / 250)
  expect(taken.filter(({ turns }) => turns < 1)).toEqual([])
  expect(taken.reduce((sum, { turns }) => sum + turns, 0)).toBeGreaterThanOrEqual(users)
})

/**
 * Reads that note how often other work ran before the next read. The clock is injected: a slice of time is over at each
 * look at it.
 */
function watchedRead() {
  let milliseconds = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 10))
  let turns = 0
  let counting = setImmediate(count)
  function count() {
    turns += 1
    counting = setImmediate(count)
  }
  onTestFinished(() => {
    clock.mockRestore()
    clearImmediate(counting)
  })
  const begun: { of: 'items' | 'members' | 'other'; rows: number; at: number; turns: number }[] = []
  const end = () => {
    const last = begun.at(-1)
    if (last) last.turns = turns - last.at
  }
  const read: Read = async (work) => {
    end()
    const result = await database.asSystem(work)
    const rows: unknown[] = Array.isArray(result) ? result : []
    begun.push({ of: kindOf(rows), rows: rows.length, at: turns, turns: 0 })
    return result
  }
  return {
    read,
    pages() {
      end()
      return begun
    },
  }
}

function kindOf([row]: readonly unknown[]) {
  if (row === undefined) return 'other'
  return Array.isArray(row) ? 'members' : 'items'
}
