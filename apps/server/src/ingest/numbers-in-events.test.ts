import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { events } from '@portcullis/contract/collections/events'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { eventRow } from './event-row.ts'
import { storeEvents } from './store-events.ts'

const server = await startTestServer()
afterAll(server.stop)

const account = await server.keyOf(server.account)
const path = '/api/events'

type Data = Partial<ReturnType<typeof eventRow>['data']>

/** Stores a denied attempt at a door, as a unit would report it. */
async function presented(data: Data) {
  const occurredAt = new Date().toISOString()
  const event = eventRow({ account, type: 'access.denied', occurredAt, data: { names: {}, ...data } })
  await server.database.asSystem(async (tx) => storeEvents(tx, [event]))
  return event._id
}

const secret = 'SECRETBUTTON1'
const button = await presented({ number: secret, kind: 'iButton' })
const card = await presented({ number: '4711', kind: 'card', unitReason: 'expired' })
const withoutKind = await presented({ number: `${secret}-OLD` })
const unreadable = await presented({ raw: `{"number":"${secret}"` })
const doorAlone = await presented({ detail: 'forced' })

const viewers = roles.filter((role) => isAllowed(rulesOfRole(role), { action: 'view', subject: 'Access Events' }))
const seers = viewers.filter((role) => isAllowed(rulesOfRole(role), { action: 'view', subject: 'iButton' }))

test('account managers and reporting users see events without the numbers of iButtons', () => {
  expect(viewers.filter((role) => !seers.includes(role))).toEqual(['accountManager', 'reportingUser'])
})

describe.each(viewers)('%s', (role) => {
  const may = seers.includes(role)
  const shown = (value: string) => (may ? value : null)
  const all = [
    [button, { number: shown(secret), kind: 'iButton' }],
    [card, { number: '4711', kind: 'card', unitReason: 'expired' }],
    [withoutKind, { number: shown(`${secret}-OLD`) }],
    [unreadable, { raw: shown(`{"number":"${secret}"`) }],
    [doorAlone, { detail: 'forced' }],
  ] as const

  test('§6 sees iButton numbers in get and list only with the permission, and card numbers always', async () => {
    const { ask } = await server.signInAs({ role })
    const { items } = await ask('GET', `${path}?size=500`)
    for (const [id, data] of all) {
      const { item } = await ask('GET', `${path}/${id}`)
      expect(item['data']).toEqual({ names: {}, ...data })
      expect(events.entitySchema.strict().parse(item)).toEqual(item)
      expect(items.find(({ _id }) => _id === id)).toEqual(item)
    }
    const fields = encodeURIComponent('["data"]')
    const { items: parts } = await ask('GET', `${path}?size=500&fields=${fields}`)
    expect(JSON.stringify(parts).includes(secret)).toBe(may)
  })

  test.each([
    ['filter', { 'data.number': secret }],
    ['filter', { data: { exists: true } }],
    ['sort', { prop: 'data.number', dir: 'asc' }],
    ['by', ['data.number']],
  ])('§6 cannot query events by it: %s %j', async (parameter, value) => {
    const { ask } = await server.signInAs({ role })
    const search = new URLSearchParams({ [parameter]: JSON.stringify(value) }).toString()
    const { status } = await ask('GET', `${path}${parameter === 'by' ? '/aggregate' : ''}?${search}`)
    expect(status).toBe(400)
  })

  test.each(['csv', 'json'])('§6 does not find it in a file without the permission: %s', async (format) => {
    const file = await exported(await server.signInAs({ role }), format)
    expect([file.includes('4711'), file.includes(secret)]).toEqual([true, may])
  })

  test('§6 does not receive it in a room without the permission, even after a missed message', async () => {
    const person = await server.signInAs({ role })
    const room = `event:${server.account}:*`
    const readGuest = async () => {
      const connection = await connectTestSocket({ url: server.url, headers: person.headers })
      onTestFinished(connection.close)
      const dataOf = (id: string) => () => connection.received.find(({ body }) => body._id === id)?.body['data']
      return { ...connection, dataOf }
    }
    const present = (number: string) => presented({ number, kind: 'iButton' })
    const expected = (number: string) => ({ names: {}, kind: 'iButton', number: shown(number) })
    const first = await readGuest()
    const [{ scope } = { scope: '' }] = (await first.resume({ since: null, rooms: [{ room, scope: null }] })).rooms
    await expect.poll(first.dataOf(await present(secret))).toEqual(expected(secret))
    first.close()
    const missed = await present(`${secret}-LATER`)
    const second = await readGuest()
    const { rooms } = await second.resume({ since: first.positions.at(-1), rooms: [{ room, scope }] })
    expect(rooms).toMatchObject([{ is: 'current' }])
    await expect.poll(second.dataOf(missed)).toEqual(expected(`${secret}-LATER`))
  })
})

async function exported({ headers }: Pick<TestUser, 'headers'>, format: string) {
  const response = await fetch(`${server.url}${path}/export`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-js-account': server.account },
    body: JSON.stringify({ format, columns: ['_id', 'data'] }),
  })
  expect(response.status).toBe(200)
  return response.text()
}
