import { randomBytes } from 'node:crypto'
import { roles } from '@portcullis/contract/abilities'
import { recertifyable, type Recertifyable } from '@portcullis/contract/calls/recertification'
import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import { holderFacts } from '@portcullis/domain/decision/holder-facts'
import { isOverdue } from '@portcullis/domain/decision/holder-finding'
import { membershipKey, policyOf } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const dayMs = 86_400_000
const path = '/api/users/recertifyable'
const everywhere = { headers: { 'x-js-all-accounts': 'true' } }
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

let count = 0

/** An account below another, with this recertification period. */
async function makeAccount(recertifyEveryDays: number | null, above = server.account) {
  count += 1
  const ref = `house-${count}`
  const fields = { ref, name: ref, recertifyEveryDays }
  const { _id } = await makeItem({ ask: server.in(above), collection: 'accounts', fields })
  return { _id, ref, ask: server.in(ref), key: await server.keyOf(ref) }
}

type Account = Awaited<ReturnType<typeof makeAccount>>
type Circumstances = {
  name?: string
  lastRecertifiedAt?: string | null
  validFrom?: string | null
  validUntil?: string | null
  status?: 'active' | 'suspended'
  role?: string
}

/** A user of an account, inserted directly: the API does not let callers set when a user was recertified. */
async function makePerson({ key }: Account, circumstances: Circumstances = {}) {
  const { name = 'Unnamed', lastRecertifiedAt = null, validFrom = null, validUntil = null } = circumstances
  const { status = 'active', role = 'appUser' } = circumstances
  const id = uuidv7()
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into person (person_id, person_home, person_name) values (${id}, ${key}, ${name})`)
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_role, membership_status,
        membership_valid_from, membership_valid_until, membership_last_recertified_at)
      values (${id}, ${key}, ${role}, ${status}, ${validFrom}, ${validUntil}, ${lastRecertifiedAt})`)
  })
  return id
}

async function listed(ask: TestUser['ask'], query: Record<string, string> = {}, options = {}) {
  const answer = await ask('GET', `${path}?${new URLSearchParams({ size: '500', ...query }).toString()}`, options)
  expect([answer.status, answer.error.message]).toEqual([200, ''])
  return recertifyable.output.parse(answer.json)
}

async function idsOf(ask: TestUser['ask'], query: Record<string, string> = {}) {
  return (await listed(ask, query)).items.map(({ _id }) => _id)
}

const decide = (ask: TestUser['ask'], id: string, body?: unknown) =>
  ask('PATCH', `/api/users/recertify/${id}`, body === undefined ? {} : { body })

describe('§7 GET users/recertifyable', () => {
  test('lists the same users and deadlines as the access decision, wherever the period is set', async () => {
    const top = await makeAccount(30)
    const [inheriting, own] = [await makeAccount(null, top.ref), await makeAccount(7, top.ref)]
    const [deep, free] = [await makeAccount(null, own.ref), await makeAccount(null)]
    const moments = [null, ago(400), ago(31), ago(29), ago(8), ago(6), ago(0)]
    for (const account of [top, inheriting, own, deep, free]) {
      for (const lastRecertifiedAt of moments) {
        await makePerson(account, { lastRecertifiedAt, validFrom: ago(10) })
        await makePerson(account, { lastRecertifiedAt })
      }
      await makePerson(account, { validFrom: ago(-20), validUntil: ago(-90) })
      await makePerson(account, { status: 'suspended' })
      await makePerson(account, { validUntil: ago(1) })
    }
    const root = await server.keyOf(server.account)
    const { index } = await loadPolicy((work) => server.database.asSystem(work), root, testNumbers())
    const expected = policyOf(index).users.flatMap((user) => {
      const { status, validUntil, recertification } = holderFacts(index, user)
      const isWithout = status !== 'active' || (validUntil !== null && Date.parse(validUntil) <= Date.now())
      if (isWithout || !recertification.enforced) return []
      const deadline = [recertification.by, isOverdue(recertification, Date.now())] as const
      return [[membershipKey(user._id, user.account), deadline] as const]
    })
    const shown = await listed(server.ask, {}, everywhere)
    const deadlineOf = ({ _id, account, recertifyBy: by, isOverdue: isLate }: Recertifyable) =>
      [membershipKey(_id, account), [by, isLate]] as const
    expect(expected).toHaveLength(4 * 15)
    expect(new Map(shown.items.map(deadlineOf))).toEqual(new Map(expected))
    const deadlines = shown.items.map(({ recertifyBy: by }) => (by === null ? 0 : Date.parse(by)))
    expect(deadlines).toEqual(deadlines.toSorted((a, b) => a - b))
    expect(await listed(free.ask)).toMatchObject({ items: [], page: { totalElements: 0, totalPages: 0 } })
  })

  test('filters by overdue and due soon, and counts the same users', async () => {
    const { ask, ...account } = await makeAccount(30)
    const never = await makePerson({ ask, ...account })
    const late = await makePerson({ ask, ...account }, { lastRecertifiedAt: ago(40) })
    const soon = await makePerson({ ask, ...account }, { lastRecertifiedAt: ago(25) })
    const later = await makePerson({ ask, ...account }, { lastRecertifiedAt: ago(1) })
    const cases = [
      [{ due: 'overdue' }, [never, late]],
      [{ due: 'soon', days: '7' }, [never, late, soon]],
      [{ due: 'soon' }, [never, late, soon, later]],
      [{ due: 'all' }, [never, late, soon, later]],
      [{}, [never, late, soon, later]],
      [{ sort: '{"prop":"recertifyBy","dir":"desc"}' }, [later, soon, late, never]],
    ] as const
    for (const [query, people] of cases) {
      expect(await idsOf(ask, query)).toEqual(people)
      const { sort: _sort, ...counted } = { sort: '', ...query }
      const { json } = await ask('GET', `${path}/count?${new URLSearchParams(counted).toString()}`)
      expect(json).toEqual({ count: people.length, exact: true })
    }
  })

  test('finds users by part of their name, in pages, sorted by name on request', async () => {
    const account = await makeAccount(30)
    for (const name of ['Dlamini, Ayanda', 'Dlamini, Cebo', 'Dlamini, Bheki', '100% Other']) {
      await makePerson(account, { name })
    }
    const sort = JSON.stringify({ prop: 'name', dir: 'asc' })
    const first = await listed(account.ask, { search: ' dlamini ', sort, size: '2' })
    expect(first.page).toEqual({ size: 2, totalElements: 3, totalPages: 2, pageNumber: 0 })
    const second = await listed(account.ask, { search: 'dlamini', sort, size: '2', page: '1' })
    const names = [...first.items, ...second.items].map(({ name }) => name)
    expect(names).toEqual(['Dlamini, Ayanda', 'Dlamini, Bheki', 'Dlamini, Cebo'])
    expect((await listed(account.ask, { search: '%' })).items.map(({ name }) => name)).toEqual(['100% Other'])
  })

  test('shows role and groups as a basis for the decision', async () => {
    const account = await makeAccount(30)
    const members = [await makePerson(account, { role: 'installer' })]
    await makeItem({ ask: account.ask, collection: 'userGroups', fields: { name: 'Crane operators', members } })
    const [{ role, groups } = { role: '', groups: [] }] = (await listed(account.ask)).items
    expect([role, groups.map(({ name }) => name)]).toEqual(['installer', ['Crane operators']])
  })

  test.each([
    ['due', 'due=never'],
    ['days', 'due=soon&days=0'],
    ['days', 'days=x'],
    ['sort', 'sort={"prop":"password"}'],
    ['sort', 'sort=name'],
    ['size', 'size=501'],
    ['page', 'page=-1'],
    ['filter', 'filter={}'],
    ['search', 'search=a&search=b'],
  ])('names the invalid parameter %s', async (parameter, query) => {
    const { status, error } = await server.ask('GET', `${path}?${query}`)
    expect([status, Object.keys(error.fields)]).toEqual([400, [parameter]])
  })

  test.each(roles)('is open to %s only if the role may recertify', async (role) => {
    const { ask } = await server.signInAs({ role })
    const may = ['admin', 'accountManager', 'accessManager'].includes(role)
    const account = await makeAccount(30)
    const id = await makePerson(account)
    const answers = [
      await ask('GET', path),
      await ask('GET', `${path}/count`),
      await decide((method, to, options) => ask(method, to, inside(account, options)), id),
    ]
    expect(answers.map(({ status }) => status)).toEqual(may ? [200, 200, 200] : [403, 403, 403])
  })
})

describe('§7 PATCH users/recertify/{id}', () => {
  test('restarts the period, in history, as an event and on the controllers', async () => {
    const account = await makeAccount(30)
    const id = await makePerson(account, { name: 'Nomsa', lastRecertifiedAt: ago(29) })
    const unit = await makeUnitOf(account, id)
    const deadlineOf = async () =>
      Object.values((await configurationOf(unit))?.holders ?? {}).find(({ user }) => user === id)?.recertification
    const [before] = (await listed(account.ask)).items
    await expect.poll(deadlineOf).toEqual({ enforced: true, by: before?.recertifyBy })

    const answer = await decide(account.ask, id)
    expect(answer.status).toBe(200)
    const [after] = (await listed(account.ask)).items
    expect(Date.parse(after?.recertifyBy ?? '')).toBeGreaterThan(Date.now() + 29 * dayMs)
    expect(answer.item).toMatchObject({ _id: id, lastRecertifiedAt: after?.lastRecertifiedAt })
    await expect.poll(deadlineOf).toEqual({ enforced: true, by: after?.recertifyBy })

    const entry = await account.ask('GET', `/api/auditLogs/${answer.headers.get('x-history-id')}`)
    expect(entry.item).toMatchObject({
      collection: 'users',
      item: id,
      action: 'patch',
      actor: server.userId,
      before: { lastRecertifiedAt: before?.lastRecertifiedAt },
      after: { lastRecertifiedAt: after?.lastRecertifiedAt },
    })
    const filter = encodeURIComponent(JSON.stringify({ type: 'administration.recertified' }))
    const { items } = await account.ask('GET', `/api/events?filter=${filter}`)
    expect(items).toMatchObject([{ user: id, data: { names: { user: 'Nomsa' } } }])
  })

  test('suspends users who should lose access, and no longer lists them', async () => {
    const account = await makeAccount(30)
    const id = await makePerson(account, { lastRecertifiedAt: ago(29) })
    const answer = await decide(account.ask, id, { decision: 'suspend' })
    expect(answer.item).toMatchObject({ status: 'suspended' })
    expect(await idsOf(account.ask)).toEqual([])
    const entry = answer.headers.get('x-history-id')
    expect((await account.ask('POST', `/api/auditLogs/${entry}/undo`)).status).toBe(200)
    expect(await idsOf(account.ask)).toEqual([id])
  })

  test('can be undone and redone, but not by the user concerned', async () => {
    const account = await makeAccount(30)
    const { ask, userId } = await server.signInAs({ role: 'admin', account: account.ref })
    const undo = (by: TestUser['ask'], entry: string | null) => by('POST', `/api/auditLogs/${entry}/undo`)
    const done = await decide(account.ask, userId)
    const undone = await undo(account.ask, done.headers.get('x-history-id'))
    expect([undone.status, undone.json]).toMatchObject([200, { item: { lastRecertifiedAt: null }, notRestored: [] }])
    const own = await undo(ask, undone.headers.get('x-history-id'))
    expect([own.status, own.error.code]).toEqual([422, 'own_access'])
    const redone = await undo(account.ask, undone.headers.get('x-history-id'))
    expect(redone.json).toMatchObject({ item: { lastRecertifiedAt: done.item['lastRecertifiedAt'] } })
  })

  test('suspends only users whose role the caller may remove', async () => {
    const account = await makeAccount(30)
    const { ask } = await server.signInAs({ role: 'accessManager', account: account.ref })
    const [above, equal] = [await makePerson(account, { role: 'admin' }), await makePerson(account)]
    const refused = await decide(ask, above, { decision: 'suspend' })
    expect([refused.status, Object.keys(refused.error.fields)]).toEqual([403, ['status']])
    expect((await decide(ask, above)).status).toBe(200)
    expect((await decide(ask, equal, { decision: 'suspend' })).status).toBe(200)
  })

  test('refuses decisions about oneself', async () => {
    const account = await makeAccount(30)
    const { ask, userId } = await server.signInAs({ role: 'admin', account: account.ref })
    for (const decision of ['keep', 'suspend']) {
      const { status, error } = await decide(ask, userId, { decision })
      expect([status, error.code]).toEqual([422, 'own_access'])
    }
    expect((await listed(ask)).items).toMatchObject([{ _id: userId, lastRecertifiedAt: null }])
  })

  test('answers 404 alike for users of other accounts and unknown ones', async () => {
    const [account, below] = [await makeAccount(30), await makeAccount(30)]
    const outOfScope = await makePerson(below)
    const answers = await Promise.all([outOfScope, uuidv7(), 'zebra'].map((id) => decide(account.ask, id)))
    expect(answers.map(({ status, error }) => [status, error.message])).toEqual(
      [1, 2, 3].map(() => [404, answers[0]?.error.message]),
    )
    expect((await decide(account.ask, outOfScope, { decision: 'promote' })).error.fields).toHaveProperty('decision')
  })

  test('may be done several times at once', async () => {
    const account = await makeAccount(30)
    const id = await makePerson(account)
    const answers = await Promise.all([1, 2, 3, 4].map(() => decide(account.ask, id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await idsOf(account.ask, { due: 'overdue' })).toEqual([])
  })
})

test('§3 the configuration reports that recertification is enabled', async () => {
  expect((await server.client.configuration()).recertification).toEqual({ enabled: true })
})

function inside({ ref }: Account, options: Parameters<TestUser['ask']>[2] = {}) {
  return { ...options, headers: { ...options.headers, 'x-js-account': ref } }
}

/** An enrolled controller with a door that this user's card opens. */
async function makeUnitOf({ ask }: Account, user: string) {
  const make = (collection: Parameters<typeof makeItem>[0]['collection'], fields = {}) =>
    makeItem({ ask, collection, fields })
  const { _id: unit } = await make('units')
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      values (${unit}, ${randomBytes(32)}, ${randomBytes(32)})`),
  )
  const door = await make('doors', { unit, unitDoor: 1 })
  await make('credentials', { user })
  await make('rules', { who: [{ kind: 'User', id: user }], where: [{ kind: 'Door', id: door._id }] })
  return unit
}

async function configurationOf(unit: string) {
  const row = await server.database.asSystem((tx) =>
    tx.first(
      z.object({ text: z.string() }),
      sql`select unit_config_text as text from unit_config_whole where unit_config_unit = ${unit}
           order by unit_config_version desc limit 1`,
    ),
  )
  return row && unitConfig.parse(JSON.parse(row.text))
}
