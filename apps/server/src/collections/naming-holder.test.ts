import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { errorBody } from '@portcullis/contract/errors/error-body'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestUser } from '../test-server.ts'
import { minimalItem, makeItem, type Written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id
const make = (collection: Written, fields: Record<string, unknown>, ask = server.ask) =>
  makeItem({ ask, collection, fields, site })
await make('accounts', { ref: 'lower' })
await make('accounts', { ref: 'lowest' }, server.in('lower'))

type RequestOptions = { ask?: TestUser['ask']; headers?: Record<string, string> }

/** Writes a taken value and returns the details of the error. */
async function refusal(
  collection: Written,
  fields: Record<string, unknown>,
  { ask = server.ask, headers = {} }: RequestOptions = {},
) {
  const body = { ...minimalItem(collection, { site }), ...fields }
  const { status, json } = await ask('POST', `/api/${collection}`, { body, headers })
  expect(status).toBe(409)
  return takenErrorIn(json)
}

function takenErrorIn(json: unknown) {
  const { code, message, fields = {}, holder = null } = errorBody.strict().parse(json).error
  expect(code).toBe('taken')
  expect(Object.values(fields)).toEqual([message])
  return { field: Object.keys(fields)[0], message, holder }
}

describe('§2 the error for a taken value names its holder', () => {
  test('the controller with a serial', async () => {
    const unit = await make('units', { name: 'Front controller', serial: 'PC-9' })
    expect(await refusal('units', { serial: ' PC-9 ' })).toEqual({
      field: 'serial',
      message: 'This serial is already taken by Front controller.',
      holder: { collection: 'units', _id: unit._id, name: 'Front controller' },
    })
  })

  test('the user with an email', async () => {
    const person = await make('users', { name: 'Nomsa Dlamini', email: 'nomsa@people.example' })
    expect(await refusal('users', { email: 'Nomsa@People.example' })).toEqual({
      field: 'email',
      message: 'This email is already taken by Nomsa Dlamini.',
      holder: { collection: 'users', _id: person._id, name: 'Nomsa Dlamini' },
    })
  })

  test('the user who holds a card, or the unassigned card', async () => {
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

  test('the door on a controller, also if a change sets the number alone', async () => {
    const unit = (await make('units', {}))._id
    const first = await make('doors', { name: 'Loading Bay 1', unit, unitDoor: 1 })
    const expected = {
      field: 'unitDoor',
      message: 'This unitDoor is already taken by Loading Bay 1.',
      holder: { collection: 'doors', _id: first._id, name: 'Loading Bay 1' },
    }
    expect(await refusal('doors', { unit, unitDoor: 1 })).toEqual(expected)
    const second = await make('doors', { unit, unitDoor: 2 })
    const { json } = await server.ask('PATCH', `/api/doors/${second._id}`, { body: { unitDoor: 1 } })
    expect(takenErrorIn(json)).toEqual(expected)
  })

  test('when a deletion is undone', async () => {
    const gone = await make('credentials', { number: '0412-3' })
    const deleted = await server.ask('DELETE', `/api/credentials/${gone._id}`)
    const user = await make('users', { name: 'Lena Vogt' })
    await make('credentials', { number: '0412-3', user: user._id })
    const { json } = await server.ask('POST', `/api/auditLogs/${deleted.headers.get(historyHeader)}/undo`)
    expect(takenErrorIn(json)).toMatchObject({ field: 'number', holder: { _id: user._id, name: 'Lena Vogt' } })
  })
})

describe('§2 the holder is named only to users who may see it', () => {
  const plain = (field: string) => ({ field, message: `This ${field} is already taken.`, holder: null })

  test('an iButton number names no holder for users who may not see such numbers', async () => {
    const user = (await make('users', { name: 'Thabo Nkosi' }))._id
    await make('credentials', { kind: 'iButton', number: engravedNumber(1), user })
    await make('credentials', { kind: 'card', number: 'C-1', user })
    const [manager, operator] = [
      await server.signInAs({ role: 'accountManager' }),
      await server.signInAs({ role: 'accessManager' }),
    ]
    const holder = { collection: 'users', _id: user, name: 'Thabo Nkosi' }
    expect(await refusal('credentials', { number: engravedNumber(1) }, manager)).toEqual(plain('number'))
    expect(await refusal('credentials', { number: 'C-1' }, manager)).toMatchObject({ holder })
    expect(await refusal('credentials', { number: engravedNumber(1) }, operator)).toMatchObject({ holder })
    const card = await make('credentials', { number: 'C-2' })
    const { json } = await manager.ask('PATCH', `/api/credentials/${card._id}`, { body: { number: engravedNumber(1) } })
    expect(takenErrorIn(json)).toEqual(plain('number'))
  })

  test('items in an account below are named, and those above never', async () => {
    const below = await make('accounts', { name: 'Far Below', ref: 'far-below' }, server.in('lower'))
    const { holder } = await refusal('accounts', { ref: 'far-below' })
    expect(holder).toEqual({ collection: 'accounts', _id: below._id, name: 'Far Below' })
    const { ask } = await server.signInAs({ role: 'admin', account: 'lowest' })
    const headers = { 'x-js-all-accounts': 'true' }
    expect(await refusal('accounts', { ref: 'far-below' }, { ask, headers })).toEqual(plain('ref'))
    for (const ref of [server.account, 'lower'])
      expect(await refusal('accounts', { ref }, { ask })).toEqual(plain('ref'))
    const named = await refusal('accounts', { ref: 'lowest' }, { ask: server.in('lower') })
    expect(named.holder).toMatchObject({ collection: 'accounts' })
  })

  test('items are not named where a nearer role denies the user access', async () => {
    const ref = 'kept-from'
    await make('accounts', { name: 'Kept From', ref }, server.in('lowest'))
    const person = await server.signInAs({ role: 'admin' })
    expect((await refusal('accounts', { ref }, person)).holder).toMatchObject({ name: 'Kept From' })
    const lowest = await server.keyOf('lowest')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${lowest}, 'appUser')`),
    )
    expect(await refusal('accounts', { ref }, person)).toEqual(plain('ref'))
  })
})
