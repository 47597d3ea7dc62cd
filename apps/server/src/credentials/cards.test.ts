import { cardFormats, encodeCard } from '@portcullis/domain/cards/card-format'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { lockTree, treeLocks } from '../history/lock-tree.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const createRange = (body: object) =>
  ask('POST', '/api/credentials/batch', { body: { format: 'wiegand26', facility: 9, ...body } })

function numberOf(format: keyof typeof cardFormats, card: Parameters<typeof encodeCard>[1]) {
  const encoded = encodeCard(cardFormats[format], card)
  if ('fault' in encoded) throw new Error(encoded.fault)
  return encoded.number
}

describe('a range of cards', () => {
  test('is created unassigned, and numbers that are already there are named', async () => {
    await ask('POST', '/api/credentials', { body: { kind: 'card', format: 'wiegand26', facility: 9, printed: '102' } })
    const { status, json } = await createRange({ from: 100, to: 105 })
    expect([status, json]).toEqual([200, { created: 5, taken: ['102'] }])
    const filter = JSON.stringify({ format: 'wiegand26', user: { exists: false } })
    const { items } = await ask('GET', `/api/credentials?filter=${encodeURIComponent(filter)}&size=100`)
    expect(items.map(({ printed }) => String(printed)).toSorted()).toEqual(['100', '101', '102', '103', '104', '105'])
    expect((await createRange({ from: 100, to: 105 })).json).toEqual({
      created: 0,
      taken: ['100', '101', '102', '103', '104', '105'],
    })
    const log = await ask('GET', `/api/auditLogs?filter=${encodeURIComponent(`{"item":"${items[0]?._id}"}`)}`)
    expect(log.items).toMatchObject([{ action: 'create', collection: 'credentials' }])
  })

  test('of 1,000 is the most, within what the format carries', async () => {
    expect((await createRange({ from: 1_000, to: 1_999 })).json).toEqual({ created: 1_000, taken: [] })
    expect(Object.keys((await createRange({ from: 1_000, to: 2_000 })).error.fields)).toEqual(['to'])
    expect(Object.keys((await createRange({ from: 2, to: 1 })).error.fields)).toEqual(['to'])
    expect((await createRange({ from: 65_535, to: 65_536 })).error.fields).toEqual({ to: 'At most 65,535.' })
    expect(Object.keys((await createRange({ from: 1, to: 2, facility: 256 })).error.fields)).toEqual(['facility'])
    expect(Object.keys((await createRange({ from: 1, to: 2, format: uuidv7() })).error.fields)).toEqual(['format'])
  })

  test('does not say which of its numbers a QR code has, and is refused after many such attempts', async () => {
    const person = await server.signInAs({ role: 'accessManager' })
    const range = { format: 'wiegand37', facility: null }
    const number = numberOf('wiegand37', { facility: null, printed: '54' })
    expect((await ask('POST', '/api/credentials', { body: { kind: 'qr', number } })).status).toBe(201)
    const met = (from: number, to: number) =>
      person.ask('POST', '/api/credentials/batch', { body: { ...range, from, to } })
    const { status, error } = await met(50, 59)
    expect([status, error.code, error.fields]).toEqual([422, 'range_not_free', {}])
    const filter = encodeURIComponent(JSON.stringify({ format: 'wiegand37' }))
    expect((await ask('GET', `/api/credentials?filter=${filter}`)).items).toEqual([])
    for (let time = 0; time < 9; time += 1) expect((await met(54, 54)).status).toBe(422)
    expect((await met(60, 69)).error.code).toBe('too_many')
  })

  test('skips a card that is created meanwhile', async () => {
    const card = await makeItem({ ask, collection: 'credentials' })
    const root = await server.keyOf(server.account)
    const number = numberOf('wiegand26', { facility: 9, printed: '8001' })
    const range = await server.database.asSystem(async (tx) => {
      lockTree(tx, { root, turn: 'beside' })
      await tx.run(sql`update credential set credential_number = ${number} where credential_id = ${card._id}`)
      const creating = createRange({ from: 8_000, to: 8_002 })
      const waiting = sql`select from pg_locks where locktype = 'advisory' and classid = ${treeLocks} and objid = ${root} and not granted`
      await expect.poll(() => tx.run(waiting)).toBe(1)
      return { creating }
    })
    expect((await range.creating).json).toEqual({ created: 2, taken: ['8001'] })
  })
})

describe('a lost card', () => {
  const made = (fields: object) => makeItem({ ask, collection: 'credentials', fields: { ...fields } })
  const replace = (id: string, by: object, status = 'lost') =>
    ask('POST', `/api/credentials/${id}/replace`, { body: { status, by } })
  const read = async (id: string) => (await ask('GET', `/api/credentials/${id}`)).item

  test('is replaced by an unassigned one, or by a new number, with the same user and validity', async () => {
    const user = (await makeItem({ ask, collection: 'users' }))._id
    const validUntil = '2031-01-01T00:00:00.000Z'
    const [lost, spare] = [await made({ user, validUntil }), await made({})]
    const first = await replace(lost._id, { _id: spare._id })
    expect([first.status, first.json]).toMatchObject([200, { _id: spare._id }])
    expect(await read(lost._id)).toMatchObject({ status: 'lost', user })
    expect(await read(spare._id)).toMatchObject({ status: 'active', user, validUntil })
    const second = await replace(spare._id, { number: '4711' }, 'stolen')
    expect(await read(spare._id)).toMatchObject({ status: 'stolen' })
    expect(await read(second.item._id)).toMatchObject({ user, number: '4711', validUntil })
  })

  test('stays as it is if there is no other to give', async () => {
    const user = (await makeItem({ ask, collection: 'users' }))._id
    const [card, other, stolen] = [await made({ user }), await made({ user }), await made({ status: 'stolen' })]
    const codeOf = async (...[id, by]: Parameters<typeof replace>) => (await replace(id, by)).error.code
    expect(await codeOf(card._id, { _id: other._id })).toBe('credential_not_free')
    expect(await codeOf(card._id, { _id: stolen._id })).toBe('credential_not_free')
    expect(await codeOf(card._id, { _id: uuidv7() })).toBe('not_found')
    expect(await codeOf((await made({}))._id, { number: 'none' })).toBe('credential_without_user')
    expect(await read(card._id)).toMatchObject({ status: 'active', user, version: 1 })
    expect(await read(stolen._id)).toMatchObject({ status: 'stolen', user: null })
  })

  test('is replaced once, and only before its end', async () => {
    const user = (await makeItem({ ask, collection: 'users' }))._id
    const [lost, over] = [await made({ user }), await made({ user, validUntil: '2020-01-01T00:00:00.000Z' })]
    expect((await replace(lost._id, { number: 'second' })).status).toBe(200)
    expect((await replace(lost._id, { number: 'third' })).error.code).toBe('credential_ended')
    expect((await replace(over._id, { number: 'third' })).error.code).toBe('credential_ended')
  })

  test('that is a duress PIN is replaced by a duress PIN', async () => {
    const user = (await makeItem({ ask, collection: 'users' }))._id
    const pin = (number: string, fields: object) => made({ kind: 'pin', number, ...fields })
    const [first, spare] = [await pin('2468', { user, duress: true }), await pin('1357', {})]
    const second = await replace(first._id, { number: '8642' })
    expect(await read(second.item._id)).toMatchObject({ user, duress: true })
    await replace(second.item._id, { _id: spare._id })
    expect(await read(spare._id)).toMatchObject({ user, duress: true })
  })

  test('is not replaced by a number that another user has, who is named', async () => {
    const user = (await makeItem({ ask, collection: 'users', fields: { name: 'Ada Byron' } }))._id
    const [card, other] = [await made({ user }), await made({ user })]
    const { status, error } = await replace(card._id, { number: other['number'] })
    expect([status, error.message]).toEqual([409, 'This number is already taken by Ada Byron.'])
  })
})
