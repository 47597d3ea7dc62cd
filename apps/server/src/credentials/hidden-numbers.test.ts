import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { credentials } from '@portcullis/contract/collections/credentials'
import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { storeEvent } from '../collections/test-events.ts'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const path = '/api/credentials'
const [cardNumber, buttonNumber] = ['C-1000', engravedNumber(0xb2000)]
const card = await makeItem({ ask: server.ask, collection: 'credentials', fields: { number: cardNumber } })
const button = await makeItem({
  ask: server.ask,
  collection: 'credentials',
  fields: { number: buttonNumber, kind: 'iButton' },
})

const viewers = roles.filter((role) => isAllowed(rulesOfRole(role), { action: 'view', subject: 'Users' }))
const without = viewers.filter((role) => !isAllowed(rulesOfRole(role), { action: 'view', subject: 'iButton' }))

test('account managers see credentials, but not the numbers of iButtons', () => {
  expect(viewers).toEqual(['admin', 'accountManager', 'accessManager'])
  expect(without).toEqual(['accountManager'])
})

const query = (params: Record<string, string>) => new URLSearchParams(params).toString()
const idsIn = async (ask: TestUser['ask'], params: Record<string, string>) => {
  const { items } = await ask('GET', `${path}?${query({ size: '500', ...params })}`)
  return items.map(({ _id }) => _id)
}

describe.each(viewers)('%s', (role) => {
  const may = !without.includes(role)
  const shown = may ? buttonNumber : null
  const found = may ? [button._id] : []

  test('§6 sees iButton numbers in get and list only with the ability, and card numbers always', async () => {
    const { ask } = await server.signInAs({ role })
    const got = await ask('GET', `${path}/${button._id}`)
    expect(got.item['number']).toBe(shown)
    expect(credentials.entitySchema.strict().parse(got.json)).toEqual(got.json)
    const { items } = await ask('GET', `${path}?${query({ fields: '["number"]' })}`)
    expect(items).toEqual(
      expect.arrayContaining([
        { _id: button._id, number: shown },
        { _id: card._id, number: cardNumber },
      ]),
    )
  })

  test('§6 cannot find a number by filter, search, count or aggregate without the ability', async () => {
    const { ask } = await server.signInAs({ role })
    for (const filter of [
      { number: buttonNumber },
      { number: { like: buttonNumber.slice(0, 4) } },
      { number: { gte: buttonNumber, lt: `${buttonNumber}-` } },
    ]) {
      const text = JSON.stringify(filter)
      expect(await idsIn(ask, { filter: text }), text).toEqual(found)
      expect((await ask('GET', `${path}/count?${query({ filter: text })}`)).json).toMatchObject({ count: found.length })
    }
    expect(await idsIn(ask, { search: buttonNumber.toLowerCase() })).toEqual(found)
    expect(await idsIn(ask, { search: 'c-1000' })).toEqual([card._id])
    const absent = JSON.stringify({ kind: 'iButton', number: { exists: false } })
    expect(await idsIn(ask, { filter: absent })).toEqual(may ? [] : [button._id])
    const filter = JSON.stringify({ _id: button._id })
    const counted = await ask('GET', `${path}/aggregate?${query({ by: '["number"]', filter })}`)
    expect(counted.json).toEqual({ rows: [{ number: shown, count: 1 }] })
  })

  test('§6 cannot sort by a number, or read it from a cursor, without the ability', async () => {
    const { ask } = await server.signInAs({ role })
    for (const dir of ['asc', 'desc']) {
      const sort = JSON.stringify({ prop: 'number', dir })
      const whole = await idsIn(ask, { sort })
      if (!may) expect(whole.at(-1)).toBe(button._id)
      const walked: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page = await ask('GET', `${path}?${query({ size: '1', sort, ...(after ? { after } : {}) })}`)
        walked.push(...page.items.map(({ _id }) => _id))
        after = page.next
        if (!may) expect(Buffer.from(after ?? '', 'base64url').toString()).not.toContain(buttonNumber)
      }
      expect(walked).toEqual(whole)
    }
  })

  test.each(['csv', 'json'])('§6 does not get a number in an export without the ability: %s', async (format) => {
    const person = await server.signInAs({ role })
    const text = await exported(person, { collection: 'credentials', format })
    expect([text.includes(cardNumber), text.includes(buttonNumber)]).toEqual([true, may])
    const event = await storeEvent(server.database, {
      account: await server.keyOf(server.account),
      credential: button._id,
    })
    const events = await exported(person, { collection: 'events', format, filter: { _id: event } })
    expect([events.includes(button._id.slice(-8)), events.includes(buttonNumber)]).toEqual([!may, may])
  })

  test('§6 does not get a number from a change or a conflict without the ability', async () => {
    const { ask } = await server.signInAs({ role })
    const patched = await ask('PATCH', `${path}/${button._id}`, { body: { status: 'suspended' } })
    expect([patched.status, patched.item['number']]).toEqual([200, shown])
    const late = await ask('PATCH', `${path}/${button._id}`, { body: { status: 'lost', version: 1 } })
    expect(late.status).toBe(409)
    expect(late.json).toMatchObject({ item: { number: shown } })
    const unchanged = await server.ask('GET', `${path}/${button._id}`)
    expect(unchanged.item['number']).toBe(buttonNumber)
  })

  test('§6 does not receive a number in a room without the ability', async () => {
    const person = await server.signInAs({ role })
    const connection = await connectTestSocket({ url: server.url, headers: person.headers })
    onTestFinished(connection.close)
    expect(await connection.join(`credential:${server.account}:*`)).toBe('ok')
    const saved = await server.ask('PATCH', `${path}/${button._id}`, { body: { status: 'active' } })
    const last = () => connection.received.findLast(({ body }) => body._id === button._id)
    await expect.poll(last).toEqual({
      event: 'credential:save',
      body: { ...saved.item, number: shown },
    })
  })
})

test.each([
  { role: 'admin' as const, may: true },
  { role: 'accountManager' as const, may: false },
])('§6 the audit log shows iButton numbers only where the list does: $role $may', async ({ role, may }) => {
  const buttons = [0x3000, 0x3001].map((serial) => engravedNumber(serial, may ? 0x01 : 0x02))
  const numbers = [...buttons, `C-3002-${role}`, `C-3003-${role}`]
  const [first = '', second = '', third = '', fourth = ''] = numbers
  const made = await makeItem({
    ask: server.ask,
    collection: 'credentials',
    fields: { kind: 'iButton', number: first },
  })
  const target = `${path}/${made._id}`
  await server.ask('PATCH', target, { body: { number: second } })
  await server.ask('PATCH', target, { body: { kind: 'card', number: third } })
  await server.ask('DELETE', target)
  const plain = await makeItem({ ask: server.ask, collection: 'credentials', fields: { number: fourth } })
  const { ask, headers } = await server.signInAs({ role })
  const read = async (item: string) => {
    const filter = JSON.stringify({ item })
    return (await ask('GET', `/api/auditLogs?${query({ filter, sort: '{"prop":"at","dir":"asc"}' })}`)).items
  }
  const [hidden, changed] = may ? [first, second] : [null, null]
  expect(await read(made._id)).toMatchObject([
    { action: 'create', before: null, after: { kind: 'iButton', number: hidden } },
    { action: 'patch', before: { number: hidden }, after: { number: changed } },
    { action: 'patch', before: { kind: 'iButton', number: changed }, after: { kind: 'card', number: third } },
    { action: 'delete', before: { kind: 'card', number: third }, after: null },
  ])
  expect(await read(plain._id)).toMatchObject([{ after: { kind: 'card', number: fourth } }])
  const file = await exported({ headers }, { collection: 'auditLogs', format: 'json', filter: { item: made._id } })
  expect(numbers.map((number) => file.includes(number))).toEqual([may, may, true, false])
})

test.each([
  { role: 'admin' as const, may: true },
  { role: 'accountManager' as const, may: false },
])('§6 the audit log hides the filter of an export where it could contain a hidden number: $role', async (one) => {
  const filter = { number: 'B-4000' }
  await exported(server, { collection: 'credentials', format: 'csv', filter })
  const { ask } = await server.signInAs(one)
  const { items } = await ask(
    'GET',
    `/api/auditLogs?${query({ filter: '{"collection":"credentials","action":"export"}' })}`,
  )
  expect(items[0]).toMatchObject({ after: { format: 'csv', rows: 0, filter: one.may ? filter : null, search: null } })
})

type File = { collection: string; format: string; filter?: Record<string, unknown> }

async function exported({ headers }: Pick<TestUser, 'headers'>, { collection, ...body }: File) {
  const response = await fetch(`${server.url}/api/${collection}/export`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-js-account': server.account },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return response.text()
}
