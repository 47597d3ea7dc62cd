import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { errorBody } from '@portcullis/contract/errors/error-body'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer, type Visitor } from '../test-server.ts'
import { leastItem, makeItem, type Written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id
const make = (collection: Written, fields: Record<string, unknown>, ask = server.ask) =>
  makeItem({ ask, collection, fields, site })
await make('accounts', { ref: 'lower' })
await make('accounts', { ref: 'lowest' }, server.in('lower'))

type Asked = { ask?: Visitor['ask']; headers?: Record<string, string> }

/** Writes what is taken, and answers what is said of it. */
async function refusal(
  collection: Written,
  fields: Record<string, unknown>,
  { ask = server.ask, headers = {} }: Asked = {},
) {
  const body = { ...leastItem(collection, { site }), ...fields }
  const { status, json } = await ask('POST', `/api/${collection}`, { body, headers })
  expect(status).toBe(409)
  return saidIn(json)
}

function saidIn(json: unknown) {
  const { code, message, fields = {}, holder = null } = errorBody.strict().parse(json).error
  expect(code).toBe('taken')
  expect(Object.values(fields)).toEqual([message])
  return { field: Object.keys(fields)[0], message, holder }
}

describe('§2 what is taken names its holder', () => {
  test('the controller of a serial', async () => {
    const unit = await make('units', { name: 'Front controller', serial: 'PC-9' })
    expect(await refusal('units', { serial: ' PC-9 ' })).toEqual({
      field: 'serial',
      message: 'This serial is already taken by Front controller.',
      holder: { collection: 'units', _id: unit._id, name: 'Front controller' },
    })
  })

  test('the person of an email', async () => {
    const person = await make('users', { name: 'Nomsa Dlamini', email: 'nomsa@people.example' })
    expect(await refusal('users', { email: 'Nomsa@People.example' })).toEqual({
      field: 'email',
      message: 'This email is already taken by Nomsa Dlamini.',
      holder: { collection: 'users', _id: person._id, name: 'Nomsa Dlamini' },
    })
  })

  test('the person who holds a card, or the card that nobody holds', async () => {
    const user = await make('users', { name: 'Øyvind Åsen' })
    await make('credentials', { number: '0412-1', user: user._id })
    expect(await refusal('credentials', { number: '0412-1' })).toEqual({
      field: 'number',
      message: 'This number is already taken by Øyvind Åsen.',
      holder: { collection: 'users', _id: user._id, name: 'Øyvind Åsen' },
    })
    const spare = await make('credentials', { number: '0412-2' })
    expect(await refusal('credentials', { number: '0412-2' })).toEqual({
      field: 'number',
      message: 'This number is already taken.',
      holder: { collection: 'credentials', _id: spare._id, name: null },
    })
  })

  test('the door on a controller, also where a change names the number alone', async () => {
    const unit = (await make('units', {}))._id
    const first = await make('doors', { name: 'Loading Bay 1', unit, unitDoor: 1 })
    const told = {
      field: 'unitDoor',
      message: 'This unitDoor is already taken by Loading Bay 1.',
      holder: { collection: 'doors', _id: first._id, name: 'Loading Bay 1' },
    }
    expect(await refusal('doors', { unit, unitDoor: 1 })).toEqual(told)
    const second = await make('doors', { unit, unitDoor: 2 })
    const { json } = await server.ask('PATCH', `/api/doors/${second._id}`, { body: { unitDoor: 1 } })
    expect(saidIn(json)).toEqual(told)
  })

  test('where a deletion is undone', async () => {
    const gone = await make('credentials', { number: '0412-3' })
    const deleted = await server.ask('DELETE', `/api/credentials/${gone._id}`)
    const user = await make('users', { name: 'Lena Vogt' })
    await make('credentials', { number: '0412-3', user: user._id })
    const { json } = await server.ask('POST', `/api/auditLogs/${deleted.headers.get(historyHeader)}/undo`)
    expect(saidIn(json)).toMatchObject({ field: 'number', holder: { _id: user._id, name: 'Lena Vogt' } })
  })
})

describe('§2 but only to who may see it', () => {
  const plain = (field: string) => ({ field, message: `This ${field} is already taken.`, holder: null })

  test('a number that is an iButton’s is taken by nobody for who may not see such numbers', async () => {
    const user = (await make('users', { name: 'Thabo Nkosi' }))._id
    await make('credentials', { kind: 'iButton', number: 'B-1', user })
    await make('credentials', { kind: 'card', number: 'C-1', user })
    const [manager, operator] = [
      await server.signInAs({ role: 'accountManager' }),
      await server.signInAs({ role: 'accessManager' }),
    ]
    const holder = { collection: 'users', _id: user, name: 'Thabo Nkosi' }
    expect(await refusal('credentials', { number: 'B-1' }, manager)).toEqual(plain('number'))
    expect(await refusal('credentials', { number: 'C-1' }, manager)).toMatchObject({ holder })
    expect(await refusal('credentials', { number: 'B-1' }, operator)).toMatchObject({ holder })
    const card = await make('credentials', { number: 'C-2' })
    const { json } = await manager.ask('PATCH', `/api/credentials/${card._id}`, { body: { number: 'B-1' } })
    expect(saidIn(json)).toEqual(plain('number'))
  })

  test('what lies in an account below is named, and what lies above never', async () => {
    const email = 'below@people.example'
    const person = await make('users', { name: 'Paul Below', email }, server.in('lower'))
    const { holder } = await refusal('users', { email })
    expect(holder).toEqual({ collection: 'users', _id: person._id, name: 'Paul Below' })
    const { ask } = await server.signInAs({ role: 'admin', account: 'lowest' })
    const headers = { 'x-js-all-accounts': 'true' }
    expect(await refusal('users', { email }, { ask, headers })).toEqual(plain('email'))
    for (const ref of [server.account, 'lower'])
      expect(await refusal('accounts', { ref }, { ask })).toEqual(plain('ref'))
    const named = await refusal('accounts', { ref: 'lowest' }, { ask: server.in('lower') })
    expect(named.holder).toMatchObject({ collection: 'accounts' })
  })

  test('nor where a nearer role keeps whoever asks out', async () => {
    const email = 'kept-from@people.example'
    await make('users', { name: 'Kept From', email }, server.in('lowest'))
    const person = await server.signInAs({ role: 'admin' })
    expect((await refusal('users', { email }, person)).holder).toMatchObject({ name: 'Kept From' })
    const lowest = await server.keyOf('lowest')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${lowest}, 'appUser')`),
    )
    expect(await refusal('users', { email }, person)).toEqual(plain('email'))
  })
})
