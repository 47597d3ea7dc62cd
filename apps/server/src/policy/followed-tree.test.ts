import { setImmediate } from 'node:timers/promises'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { type PolicyIndex, policyOf } from '@portcullis/domain/decision/policy-index'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { loadPolicy } from './load-policy.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import { Database, type Transaction } from '../database/database.ts'
import { FollowedTree } from './followed-tree.ts'
import { Policies } from './policies.ts'

const server = await startTestServer()
const { database, logins } = server
const feed = new ChangeFeed({ database, logins })
await feed.start()
const policies = new Policies({ database, feed, numbers: testNumbers() })
const root = await server.keyOf(server.account)
afterAll(async () => {
  policies.stop()
  await feed.stop()
  await server.stop()
})

/** A random change; each number chooses among what there is. */
const anyStep = fc.record({
  act: fc.constantFrom<'patch' | 'create' | 'delete' | 'undo' | 'move'>(
    ...(['patch', 'patch', 'patch', 'create', 'delete', 'undo', 'move'] as const),
  ),
  collection: fc.constantFrom<Written>(
    'accounts',
    'sites',
    'doors',
    'units',
    'users',
    'users',
    'credentials',
    'credentials',
    'userGroups',
    'userGroups',
    'doorGroups',
    'siteGroups',
    'rules',
    'rules',
    'schedules',
    'holidays',
  ),
  choices: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

test('after an update that failed in part, all units of the tree are compiled', async () => {
  const reads = { left: Infinity }
  const failing = new (class extends Database {
    override asSystem<T>(work: (tx: Transaction) => Promise<T>) {
      reads.left -= 1
      return reads.left < 0 ? Promise.reject(new Error('The database is away.')) : super.asSystem(work)
    }
  })({ logins, connections: 2 })
  onTestFinished(() => failing.close())
  const [site, door] = [
    await makeItem({ ask: server.ask, collection: 'sites' }),
    await makeItem({ ask: server.ask, collection: 'doors' }),
  ]
  const updates: AffectedUnits[] = []
  const onUpdate = ({ units }: { units: AffectedUnits }) => void updates.push(units)
  // A feed that has delivered nothing: each update reads the changes itself.
  const silent = new ChangeFeed({ database, logins, notify: 'off' })
  const tree = new FollowedTree({
    root,
    database: failing,
    delivered: silent.listen('test', () => {}),
    numbers: testNumbers(),
    onUpdate,
    onUnreadable() {},
  })
  onTestFinished(() => tree.stop())
  await tree.load()
  await server.ask('PATCH', `/api/sites/${site._id}`, { body: { timeZone: 'Asia/Tokyo' } })
  await server.ask('PATCH', `/api/doors/${door._id}`, { body: { name: 'Moved' } })
  // The version, and the sites, but not the doors.
  reads.left = 2
  await expect(tree.catchUp()).rejects.toThrow('The database is away.')
  reads.left = Infinity
  updates.length = 0
  await tree.catchUp()
  expect(updates).toEqual(['all'])
})

test('while updates fail, one retry waits, however many changes the feed delivers', async () => {
  const away = new (class extends Database {
    isAway = false
    override asSystem<T>(work: (tx: Transaction) => Promise<T>) {
      return this.isAway ? Promise.reject(new Error('The database is away.')) : super.asSystem(work)
    }
  })({ logins, connections: 2 })
  onTestFinished(() => away.close())
  const silent = new ChangeFeed({ database, logins, notify: 'off' })
  const delivered = silent.listen('test', () => {})
  const numbers = testNumbers()
  const tree = new FollowedTree({ root, database: away, delivered, numbers, onUpdate() {}, onUnreadable() {} })
  onTestFinished(() => tree.stop())
  await tree.load()
  away.isAway = true
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (let id = 1; id <= 10; id++) {
    tree.follow([{ id, xid: 1, collection: 'sites', item: uuidv7(), action: 'save' }])
    await tree.catchUp().catch(() => {})
    await Promise.resolve()
  }
  expect(vi.getTimerCount()).toBe(1)
})

test('work that can wait begins after all other work, and ends for it', async () => {
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const idle = (name: string) =>
    policies.whileIdle(root, {
      throwIfOver() {},
      async work(_policy, isOtherWaiting) {
        order.push(name)
        begun.resolve()
        while (name === 'first' && !isOtherWaiting()) await setImmediate()
      },
    })
  const done = ['first', 'second', 'third'].map(idle)
  await begun.promise
  done.push(policies.whileUnchanged(root, async () => void order.push('other')))
  await Promise.all(done)
  expect(order).toEqual(['first', 'other', 'second', 'third'])
})

test('work that can wait gives up while the policy is loaded', async () => {
  const isBack = Promise.withResolvers<void>()
  const slow = new (class extends Database {
    override async asSystem<T>(work: (tx: Transaction) => Promise<T>) {
      await isBack.promise
      return super.asSystem(work)
    }
  })({ logins, connections: 2 })
  onTestFinished(() => slow.close())
  const delivered = { position: undefined }
  const numbers = testNumbers()
  const tree = new FollowedTree({ root, database: slow, delivered, numbers, onUpdate() {}, onUnreadable() {} })
  onTestFinished(() => tree.stop())
  const throwIfOver = () => {
    throw new Error('The client has gone.')
  }
  await expect(tree.whileIdle({ throwIfOver, work: () => Promise.resolve() })).rejects.toThrow('The client has gone.')
  isBack.resolve()
  await tree.load()
})

test.each(['another turn does not end', 'other turns follow one another'])(
  'work that can wait gives up while %s',
  async (which) => {
    const ended = Promise.withResolvers<void>()
    const turn = which === 'other turns follow one another' ? setImmediate : () => ended.promise
    let isOver = false
    const other = [1, 2].map(async () => {
      do await policies.whileUnchanged(root, turn)
      while (!isOver)
    })
    let asked = 0
    const idle = policies.whileIdle(root, {
      throwIfOver() {
        if (++asked > 2) throw new Error('The client has gone.')
      },
      work: () => Promise.resolve(),
    })
    await expect(idle).rejects.toThrow('The client has gone.')
    isOver = true
    ended.resolve()
    await Promise.all(other)
  },
)

test('after any changes the policy in memory equals a freshly loaded one', async () => {
  const world = await makeWorld()
  const run = fc.asyncProperty(fc.array(anyStep, { minLength: 30, maxLength: 30 }), async (steps) => {
    for (const step of steps) await world.take(step)
    const followed = (await policies.latestOfAccount(root)).index
    const { index: fresh } = await loadPolicy((work) => database.asSystem(work), root, testNumbers())
    expect(canonical(followed)).toEqual(canonical(fresh))
    expect(textsOf(followed)).toEqual(textsOf(fresh))
  })
  await fc.assert(run, { numRuns: 5, endOnFailure: true })
  expect(world.taken()).toBeGreaterThan(60)
})

/** Items in an account, one below it and one beside that, to which the one below is moved. */
async function makeWorld() {
  const items: { collection: Written; _id: string; ref: string }[] = []
  const undoable: { ref: string; entry: string }[] = []
  let taken = 0
  const add = async (collection: Written, ref: string, fields = {}) => {
    const { _id } = await makeItem({ ask: server.in(ref), collection, fields, ...siteIn(ref) })
    items.push({ collection, _id, ref })
    return _id
  }
  const top = server.account
  const own = await add('accounts', top, { ref: 'policy-own' })
  await add('accounts', top, { ref: 'policy-beside' })
  for (const ref of [top, 'policy-own']) {
    for (const collection of ['sites', 'sites', 'units', 'doors', 'doors', 'users', 'users', 'userGroups'] as const) {
      await add(collection, ref)
    }
    for (const collection of ['credentials', 'credentials', 'rules', 'schedules', 'holidays'] as const) {
      await add(collection, ref)
    }
    for (const collection of ['doorGroups', 'siteGroups'] as const) await add(collection, ref)
  }
  const [user = ''] = idsOf('users', top)
  await addMembership({ user, account: await server.keyOf('policy-own') })
  return { take, taken: () => taken }

  function siteIn(ref: string) {
    const [site] = idsOf('sites', ref)
    return site === undefined ? {} : { site }
  }

  function idsOf(collection: Written, ref: string) {
    return items.filter((each) => each.collection === collection && each.ref === ref).map(({ _id }) => _id)
  }

  async function take({ act, collection, choices }: Step) {
    const [first = 0, second = 0] = choices
    const ref = first % 2 === 0 ? top : 'policy-own'
    const ask = server.in(ref)
    const ids = idsOf(collection, ref)
    const id = ids[second % Math.max(1, ids.length)] ?? ''
    if (act === 'create' && collection !== 'accounts') {
      await add(collection, ref).catch(() => '')
      taken++
      return
    }
    const requests = {
      create: () => ask('GET', '/api/accounts'),
      patch: () => ask('PATCH', `/api/${collection}/${id}`, { body: changesOf({ collection, ref, choices }) }),
      delete: () => ask('DELETE', `/api/${collection}/${id}`),
      undo: () => undoLast(),
      move: async () => server.ask('POST', `/api/accounts/${own}/move`, { body: { parent: await parentFor(second) } }),
    }
    const answer = await requests[act]()
    if (!answer || answer.status >= 300) return
    taken++
    if (act === 'delete') undoable.push({ ref, entry: answer.headers.get(historyHeader) ?? '' })
  }

  async function parentFor(choice: number) {
    const [, beside = ''] = idsOf('accounts', top)
    const above = await database.asSystem((tx) =>
      tx.first(z.object({ _id: z.uuid() }), sql`select account_id as _id from account where account_key = ${root}`),
    )
    return choice % 2 === 0 ? beside : above?._id
  }

  function undoLast() {
    const last = undoable.pop()
    return last && server.in(last.ref)('POST', `/api/auditLogs/${last.entry}/undo`)
  }

  function changesOf({ collection, ref, choices }: Omit<Step, 'act'> & { ref: string }) {
    const [, , a = 0, b = 0, c = 0, d = 0] = choices
    const some = (other: Written, choice: number) => idsOf(other, ref).filter((_, at) => (choice >> at) % 2 === 1)
    const one = (other: Written, choice: number) => idsOf(other, ref)[choice % Math.max(1, idsOf(other, ref).length)]
    const pick = <T>(choice: number, ...values: T[]) => values[choice % values.length]
    const named = (kind: string, ids: string[]) => ids.map((id) => ({ kind, id }))
    switch (collection) {
      case 'accounts':
        return { recertifyEveryDays: pick(a, null, 7, 400) }
      case 'sites':
        return { timeZone: pick(a, 'Europe/London', 'UTC'), calendars: pick(b, [], ['UK']) }
      case 'doors':
        return { site: one('sites', a), unit: pick(b, null, one('units', c)), unitDoor: 1 + (d % 4), name: `Door ${d}` }
      case 'units':
        return { inService: a % 4 > 0 }
      case 'users':
        return { status: pick(a, 'active', 'suspended'), groups: some('userGroups', b), name: `User ${c}` }
      case 'credentials':
        return {
          user: pick(a, null, one('users', b), one('users', c)),
          number: `${c % 3}`,
          status: pick(d, 'active', 'lost'),
        }
      case 'userGroups':
        return { members: some('users', a), name: `Group ${b}` }
      case 'doorGroups':
        return { members: some('doors', a) }
      case 'siteGroups':
        return { members: some('sites', a) }
      case 'schedules':
        return { windows: [{ days: [1 + (a % 7)], start: '06:00', end: '18:00' }] }
      case 'holidays':
        return { calendar: pick(a, null, 'UK') }
      default:
        return {
          effect: pick(a, 'allow', 'allow', 'deny'),
          enabled: b % 4 > 0,
          schedule: pick(c, null, one('schedules', d)),
          who: [...named('User', some('users', b)), ...named('User Group', some('userGroups', c))],
          where: [
            ...named('Door', some('doors', c)),
            ...named('Site', some('sites', d)),
            ...named('Door Group', some('doorGroups', a)),
          ],
        }
    }
  }
}

async function addMembership({ user, account }: { user: string; account: number }) {
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into membership (membership_user, membership_account) values (${user}, ${account})`)
    await recordChanges(tx, [{ account, collection: 'users', item: user, action: 'save', isPolicy: true }])
  })
}

function canonical(index: PolicyIndex) {
  const { version: _, ...lists } = policyOf(index)
  return Object.entries(lists).map(([list, items]) => [
    list,
    items
      .map((item) => JSON.stringify('members' in item ? { ...item, members: [...item.members].sort() } : item))
      .sort(),
  ])
}

function textsOf(index: PolicyIndex) {
  const at = Date.now()
  return [...index.units.keys()]
    .sort()
    .map((unit) => JSON.stringify(compileUnit({ index, unit, at, hashNumber: (number) => number })))
}
