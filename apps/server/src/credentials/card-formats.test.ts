import { engravedNumber } from '@portcullis/domain/cards/i-button'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const path = '/api/credentials'
const create = (body: object) => server.ask('POST', path, { body })
const patch = (id: string, body: object) => server.ask('PATCH', `${path}/${id}`, { body })

async function deleteAndUndo(id: string) {
  const { headers } = await server.ask('DELETE', `${path}/${id}`)
  return server.ask('POST', `/api/auditLogs/${headers.get(historyHeader)}/undo`)
}

const card = { kind: 'card', format: 'wiegand26', facility: 118, printed: '1603' }
const asRead = '2EC0C86'

describe('a card with a format', () => {
  test('has the number that a reader reads, which follows from its printed number', async () => {
    const { status, item } = await create(card)
    expect([status, item]).toMatchObject([201, { ...card, number: asRead }])
    const next = await patch(item._id, { printed: '0001604' })
    expect(next.item).toMatchObject({ printed: '1604', number: '2EC0C89' })
    const { items } = await server.ask('GET', `${path}?search=1604`)
    expect(items.map(({ _id }) => _id)).toContain(item._id)
    const plain = await patch(item._id, { format: null, facility: null, printed: null })
    expect(plain.item).toMatchObject({ format: null, number: '2EC0C89' })
  })

  test('is refused at the field that is wrong', async () => {
    const fieldsOf = async (body: object) => (await create({ ...card, ...body })).error.fields
    expect(await fieldsOf({ facility: 256 })).toEqual({ facility: 'At most 255.' })
    expect(await fieldsOf({ facility: null })).toEqual({ facility: 'This is required.' })
    expect(await fieldsOf({ printed: null })).toEqual({ printed: 'This is required.' })
    expect(await fieldsOf({ printed: '65536' })).toEqual({ printed: 'At most 65,535.' })
    expect(await fieldsOf({ printed: '12a' })).toEqual({ printed: 'Use only digits here.' })
    expect(Object.keys(await fieldsOf({ format: 'wiegand37' }))).toEqual(['facility'])
    expect(Object.keys(await fieldsOf({ format: 'wiegand99' }))).toEqual(['format'])
    expect(Object.keys(await fieldsOf({ number: '4711' }))).toEqual(['number'])
    expect(Object.keys(await fieldsOf({ format: null, number: '4711' }))).toEqual(['facility'])
    expect(Object.keys(await fieldsOf({ kind: 'qr', number: '4711' }))).toEqual(['format'])
    expect(await fieldsOf({ format: null, facility: null, printed: null })).toEqual({ number: 'This is required.' })
  })

  test('names the user who has the same number, entered in another way', async () => {
    const user = (await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Ada Byron' } }))._id
    await create({ kind: 'card', number: '2EC0C8A', user })
    const { status, error } = await create({ ...card, printed: '1605' })
    expect([status, error.message]).toEqual([409, 'This number is already taken by Ada Byron.'])
    const { item } = await create({ ...card, printed: '1606' })
    const patched = await patch(item._id, { printed: '1605' })
    expect([patched.status, patched.error.message]).toEqual([409, 'This number is already taken by Ada Byron.'])
  })
})

describe('a card without a format', () => {
  test('has upper-case digits if its number is that of a card, as controllers report it', async () => {
    const { item } = await create({ kind: 'card', number: '2ec0c8f' })
    expect(item['number']).toBe('2EC0C8F')
    expect((await create({ ...card, printed: '1607' })).status).toBe(409)
    // The parity is wrong, so a reader reports another text.
    const other = await create({ kind: 'card', number: '2ec0c8e' })
    expect(other.item['number']).toBe('2ec0c8e')
    expect((await patch(other.item._id, { number: '2ec0c91' })).item['number']).toBe('2EC0C91')
  })
})

describe('a format of the account', () => {
  const layout = 'PFFFCCCCCCCC\nEXXXXXXXXXXX'

  test('gives its cards their numbers, and is not changed afterwards', async () => {
    const made = await server.ask('POST', '/api/cardFormats', {
      body: { name: 'Works canteen', layout: ` ${layout.toLowerCase()}` },
    })
    expect([made.status, made.item]).toMatchObject([201, { layout }])
    const format = made.item._id
    const written = { kind: 'card', format: format.toUpperCase(), facility: 5, printed: '201' }
    expect((await create(written)).item).toMatchObject({ format })
    const { item } = await create({ kind: 'card', format, facility: 5, printed: '200' })
    expect(item).toMatchObject({ number: 'DC8', format })
    const changed = await server.ask('PATCH', `/api/cardFormats/${format}`, { body: { layout: 'CCCCCCCC' } })
    expect(changed.status).toBe(400)
    expect((await server.ask('DELETE', `/api/cardFormats/${format}`)).status).toBe(204)
    expect((await patch(item._id, { status: 'lost' })).item).toMatchObject({ number: 'DC8', status: 'lost' })
    expect((await deleteAndUndo(item._id)).status).toBe(200)
    expect((await server.ask('GET', `${path}/${item._id}`)).item).toMatchObject({ number: 'DC8', format })
  })

  test('names its largest number exactly', async () => {
    const layout = 'C'.repeat(64)
    const { _id: format } = await makeItem({ ask: server.ask, collection: 'cardFormats', fields: { layout } })
    const { error } = await create({ kind: 'card', format, printed: '18446744073709551616' })
    expect(error.fields).toEqual({ printed: 'At most 18446744073709551615.' })
  })

  test('is known in its account alone', async () => {
    const ask = server.in('elsewhere')
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'elsewhere' } })
    const { _id: format } = await makeItem({ ask, collection: 'cardFormats', fields: { layout } })
    expect(Object.keys((await create({ ...card, format })).error.fields)).toEqual(['format'])
  })

  test('is refused with the line that is wrong', async () => {
    const refused = await server.ask('POST', '/api/cardFormats', { body: { name: 'Wrong', layout: 'PCCCCCCC' } })
    expect(refused.error.fields).toEqual({ layout: 'Each P of the first line needs a mask.' })
  })
})

describe('an iButton', () => {
  const number = engravedNumber(0x105852fa)

  test('has one number, however it is written', async () => {
    const inMemory = number.match(/../g)?.toReversed().join(' ')
    const { status, item } = await create({ kind: 'iButton', number: inMemory })
    expect([status, item['number']]).toEqual([201, number])
    expect((await create({ kind: 'iButton', number: number.toLowerCase() })).status).toBe(409)
    expect((await patch(item._id, { number: inMemory, status: 'lost' })).item).toMatchObject({ number, status: 'lost' })
  })

  test('of an earlier version, without a check, comes back when its deletion is undone', async () => {
    const { item } = await create({ kind: 'iButton', number: engravedNumber(0x4711) })
    await server.database.asSystem((tx) =>
      tx.run(sql`update credential set credential_number = 'OLD-1' where credential_id = ${item._id}`),
    )
    expect((await deleteAndUndo(item._id)).status).toBe(200)
    expect((await server.ask('GET', `${path}/${item._id}`)).item['number']).toBe('OLD-1')
  })

  test('whose check is wrong is refused', async () => {
    const wrong = `${number.slice(0, -1)}2`
    expect((await create({ kind: 'iButton', number: wrong })).error.fields).toEqual({
      number: 'This is not the number of an iButton: 16 hexadecimal digits that agree with their check.',
    })
  })
})
