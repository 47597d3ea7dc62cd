import { problemMessage } from '@portcullis/contract/errors/error-message'
import { problem } from '@portcullis/contract/errors/problem'
import { maskOf } from '@portcullis/contract/sealed-numbers'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { entryOf, logOf, undo } from './audit-logs/test-undo.ts'
import { makeItem } from './collections/test-items.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { spawnAnotherServer } from './test-servers.ts'
import { startOwnServer } from './test-server.ts'
import { connectTestSocket } from './test-socket.ts'

const server = await startOwnServer()
const owner = new pg.Client(server.databaseUrl)
await owner.connect()
afterAll(async () => {
  await owner.end()
  await server.stop()
})

const path = '/api/credentials'
const numberOf = (name: string) => `${name}-${uuidv7()}`
const create = (fields: Record<string, unknown>) => server.ask('POST', path, { body: fields })
const patch = (id: string, body: unknown) => server.ask('PATCH', `${path}/${id}`, { body })
const query = (params: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString()

/** The columns of the database that contain a text in clear. */
async function columnsWith(text: string) {
  const { rows } = await owner.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and data_type in ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')`,
  )
  expect(rows.length).toBeGreaterThan(100)
  const found: string[] = []
  for (const { table, column, type } of rows) {
    const where =
      type === 'bytea' ? `position(convert_to($1, 'UTF8') in "${column}") > 0` : `position($1 in "${column}"::text) > 0`
    const { rowCount } = await owner.query(`select from "${table}" where ${where} limit 1`, [text])
    if (rowCount) found.push(`${table}.${column}`)
  }
  return found
}

test('no search, filter or count finds a PIN, also as the server stores it, and no other number can look like one', async () => {
  const pin = `${Math.floor(Math.random() * 90_000_000) + 10_000_000}`
  const { status, item } = await create({ kind: 'pin', number: pin })
  expect(status).toBe(201)
  for (const given of [pin, `pin:${pin}`]) {
    for (const asked of [
      { search: given },
      { filter: { number: given } },
      { filter: { number: { in: ['x', given] } } },
    ]) {
      const { json } = await server.ask('GET', `${path}?${query(asked)}`)
      expect(json).toMatchObject({ items: [], page: { totalElements: 0 } })
    }
  }
  const { json } = await server.ask('GET', `${path}?${query({ filter: { not: { number: `pin:${pin}` } } })}`)
  expect(JSON.stringify(json)).toContain(item._id)
  for (const kind of ['card', 'qr', 'iButton']) {
    expect((await create({ kind, number: `pin:${pin}` })).error.fields).toHaveProperty('number')
  }
})

test('a user who meets many taken PINs cannot go on looking for them', async () => {
  const { ask } = await server.signInAs({ role: 'admin' })
  const pin = `${Math.floor(Math.random() * 90_000_000) + 10_000_000}`
  const again = async (number: string) => (await ask('POST', path, { body: { kind: 'pin', number } })).status
  expect(await again(pin)).toBe(201)
  for (let tries = 0; tries < 10; tries += 1) expect(await again(pin)).toBe(409)
  expect(await again(pin)).toBe(429)
  expect(await again(`${Number(pin) + 1}`)).toBe(429)
  expect((await create({ kind: 'pin', number: `${Number(pin) + 1}` })).status).toBe(201)
})

test('the number of a card is found where it is stored', async () => {
  const number = numberOf('CARD')
  await create({ kind: 'card', number })
  expect(await columnsWith(number)).toEqual(
    expect.arrayContaining(['credential.credential_number', 'history.history_after']),
  )
})

test.each(['qr', 'mobile'] as const)(
  'the number of a %s opens the door, and is stored nowhere in clear',
  async (kind) => {
    const wired = await wiredDoor(server.ask)
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Nomsa Dlamini' } })
    const who = [{ kind: 'User', id: user._id }]
    await makeItem({ ask: server.ask, collection: 'rules', fields: { who, where: [{ kind: 'Door', id: wired.door }] } })
    const connection = await connectTestSocket({ url: server.url, headers: server.headers })
    onTestFinished(connection.close)
    await connection.join(`credential:${server.account}:*`)
    await connection.join(`event:${server.account}:*`)
    const [first, second] = [numberOf('FIRST'), numberOf('SECOND')]
    const answers: string[] = []
    const ask: typeof server.ask = async (...request) => {
      const answer = await server.ask(...request)
      answers.push(JSON.stringify(answer.json))
      return answer
    }

    const made = await ask('POST', path, { body: { kind, number: first, user: user._id } })
    expect([made.status, made.item['number']]).toEqual([201, maskOf(first)])
    const target = `${path}/${made.item._id}`
    const unit = await startUnit(server, wired)
    const presentAt = (number: string) => unit.present({ door: 1, kind, number, direction: 'entry' })
    await expect.poll(async () => (await presentAt(first)).verdict).toBe('grant')

    const patched = await ask('PATCH', target, { body: { number: second } })
    expect([patched.status, patched.item['number']]).toEqual([200, maskOf(second)])
    await expect.poll(async () => (await presentAt(second)).verdict).toBe('grant')
    expect((await presentAt(first)).reason).toBe('credential_unknown')

    const deleted = await ask('DELETE', target)
    await expect.poll(async () => (await presentAt(second)).verdict).toBe('deny')
    const undone = await undo(ask, entryOf(deleted))
    expect([undone.status, undone.json]).toMatchObject([200, { item: { number: maskOf(second) }, notRestored: [] }])
    await expect.poll(async () => (await presentAt(second)).verdict).toBe('grant')

    const events = await ask('GET', `/api/events?${query({ filter: { credential: made.item._id }, size: '500' })}`)
    expect(events.items.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ kind, number: maskOf(second) }),
    )
    await ask('GET', `${path}?size=500`)
    await ask('GET', `${path}/aggregate?${query({ by: ['number'] })}`)
    const at = new Date().toISOString()
    const explain = { door: wired.door, credential: made.item._id, direction: 'entry', at }
    const answer = await ask('POST', '/api/explorer/decide', { body: explain })
    expect(answer.json).toMatchObject({ number: maskOf(second), credential: { number: maskOf(second) } })
    answers.push(JSON.stringify(await logOf({ ask }, made.item._id)))
    for (const collection of ['credentials', 'events', 'auditLogs']) {
      const response = await fetch(`${server.url}/api/${collection}/export`, {
        method: 'POST',
        headers: { ...server.headers, 'content-type': 'application/json', 'x-js-account': server.account },
        body: JSON.stringify({
          format: 'json',
          ...(collection === 'credentials' ? { filter: { number: second } } : {}),
        }),
      })
      answers.push(await response.text())
    }
    answers.push(JSON.stringify(connection.received))
    expect(answers.join(' ')).toContain(maskOf(second))
    for (const number of [first, second]) {
      expect(answers.filter((text) => text.includes(number))).toEqual([])
      expect(await columnsWith(number)).toEqual([])
    }
  },
)

test('the log of a server has no number, at any level', async () => {
  const other = await spawnAnotherServer(server.databaseUrl, 0, 'trace')
  const number = numberOf('LOGGED')
  const at = (method: string, url: string, body?: unknown) =>
    fetch(`${other.url}${url}`, {
      method,
      headers: { ...server.headers, 'x-js-account': server.account, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const answers = [
    await at('POST', path, { kind: 'qr', number }),
    await at('POST', path, { kind: 'qr', number }),
    await at('GET', `${path}?${query({ filter: { number } })}`),
    await at('GET', `${path}?${query({ filter: { number: { unknown: number } } })}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 409, 200, 400])
  other.requestEnd()
  await other.code
  expect(other.printed()).toContain('Portcullis is ready')
  expect(other.printed()).not.toContain(number)
})

describe('a number that is taken', () => {
  const taken = { status: 409, error: { code: 'taken' } }

  test('is refused, and the error names the user who holds it', async () => {
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Thabo Nkosi' } })
    const number = numberOf('TAKEN')
    await create({ kind: 'qr', number, user: user._id })
    const again = await create({ kind: 'mobile', number })
    expect(again).toMatchObject(taken)
    expect(JSON.stringify(again.json)).toContain('Thabo Nkosi')
    expect(await create({ kind: 'card', number })).toMatchObject(taken)
    const card = numberOf('CARD')
    await create({ kind: 'card', number: card })
    expect(await create({ kind: 'qr', number: card })).toMatchObject(taken)
  })

  test('is stored once when several credentials of any kind request it at the same time', async () => {
    const number = numberOf('RACE')
    const answers = await Promise.all(['qr', 'card', 'mobile', 'card', 'qr'].map((kind) => create({ kind, number })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  })

  test('is free after a deletion, which then cannot be undone', async () => {
    const number = numberOf('FREE')
    const { item } = await create({ kind: 'qr', number })
    const deleted = await server.ask('DELETE', `${path}/${item._id}`)
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Zanele Mbeki' } })
    expect((await create({ kind: 'qr', number, user: user._id })).status).toBe(201)
    const undone = await undo(server.ask, entryOf(deleted))
    expect(undone).toMatchObject(taken)
    expect(JSON.stringify(undone.json)).toContain('Zanele Mbeki')
  })

  test('may have the same mask as another', async () => {
    const answers = [
      await create({ kind: 'qr', number: 'A-00-1234' }),
      await create({ kind: 'qr', number: 'B-00-1234' }),
    ]
    expect(answers.map(({ status, item }) => [status, item['number']])).toEqual([
      [201, '••••1234'],
      [201, '••••1234'],
    ])
  })
})

describe('a number is found only if it is given in full', async () => {
  const [number, card] = [numberOf('FIND'), numberOf('FOUND')]
  const [hidden, open] = [
    (await create({ kind: 'qr', number })).item,
    (await create({ kind: 'card', number: card })).item,
  ]

  test.each([
    [{ filter: { number } }, [hidden._id]],
    [{ filter: { number: { eq: number } } }, [hidden._id]],
    [{ filter: { number: { in: [number, card] } } }, [hidden._id, open._id]],
    [{ filter: { or: [{ number: card }, { and: [{ number }] }] } }, [hidden._id, open._id]],
    [{ filter: { not: { number: { ne: number } } } }, [hidden._id]],
    [{ filter: { number: { in: [number, card], nin: [number] } } }, [open._id]],
    [{ filter: { number, kind: 'card' } }, []],
    [{ search: number }, [hidden._id]],
    [{ search: card }, [open._id]],
    [{ search: number.slice(0, -1) }, []],
    [{ filter: { number: { like: number.slice(0, 12) } } }, []],
  ])('%j', async (params, ids) => {
    const { items } = await server.ask('GET', `${path}?${query({ ...params, size: '500' })}`)
    expect(items.map(({ _id }) => _id).sort()).toEqual([...ids].sort())
    const counted = await server.ask('GET', `${path}/count?${query(params)}`)
    expect(counted.json).toMatchObject({ count: ids.length })
  })

  test('a number is not found in another account', async () => {
    const ref = `other-${uuidv7().slice(-8)}`
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref } })
    const { items } = await server.in(ref)('GET', `${path}?${query({ filter: { number } })}`)
    expect(items).toEqual([])
  })
})

describe('a patch', async () => {
  const number = numberOf('PATCH')
  const { item } = await create({ kind: 'qr', number })
  const needed = {
    status: 400,
    error: { code: 'bad_request', fields: { number: problemMessage(problem('new_number_needed')) } },
  }

  test('as the item was read keeps the number', async () => {
    const { item: read } = await server.ask('GET', `${path}/${item._id}`)
    expect((await patch(item._id, { ...read, status: 'suspended' })).item).toMatchObject({ number: maskOf(number) })
    const { items } = await server.ask('GET', `${path}?${query({ filter: { number } })}`)
    expect(items.map(({ _id }) => _id)).toEqual([item._id])
  })

  test.each([{ number: '••••0000' }, { kind: 'card' }, { kind: 'iButton', number: maskOf(number) }])(
    'that would need the stored number is refused: %j',
    async (body) => {
      expect(await patch(item._id, body)).toMatchObject(needed)
    },
  )

  test('of a card to a QR code needs another number, and one back shows it', async () => {
    const { item: card } = await create({ kind: 'card', number: numberOf('OPEN') })
    expect(await patch(card._id, { kind: 'qr' })).toMatchObject(needed)
    const [secret, plain] = [numberOf('SEALED'), numberOf('PLAIN')]
    expect((await patch(card._id, { kind: 'qr', number: secret })).item['number']).toBe(maskOf(secret))
    expect((await patch(card._id, { kind: 'card', number: plain })).item['number']).toBe(plain)
    expect((await create({ kind: 'qr', number: secret })).status).toBe(201)
  })

  test('of a number cannot be undone, because the earlier number is gone', async () => {
    const changed = await patch(item._id, { number: numberOf('LATER') })
    expect(await undo(server.ask, entryOf(changed))).toMatchObject(needed)
  })

  test('cannot create a credential from a mask', async () => {
    expect((await create({ kind: 'qr', number: '••••1234' })).status).toBe(400)
  })
})

test('users who may not view users see nothing of a number', async () => {
  const number = numberOf('UNSEEN')
  const { item } = await create({ kind: 'qr', number })
  const { ask } = await server.signInAs({ role: 'reportingUser' })
  const answers = [
    await ask('GET', `${path}/${item._id}`),
    await ask('GET', `${path}?${query({ filter: { number } })}`),
    await ask('GET', `${path}/count?${query({ search: number })}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
})
