import { decideAccess, doorAccess, userAccess } from '@portcullis/contract/calls/explorer'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { makeBuilding } from './test-building.ts'

const server = await startTestServer()
afterAll(server.stop)

const { make, addPerson, account, ...place } = await makeBuilding(server, 'harbour')
const door = place.door._id
const nomsa = await addPerson('Nomsa Dlamini', { number: '0412-1' })
const oyvind = await addPerson('Øyvind Åsen', { number: '0412-2' })
const lena = await addPerson('Lena Vogt', { number: '0412-3', status: 'suspended' })
const thabo = await addPerson('Thabo Nkosi', { number: '0412-4', groups: [] })
await make('rules', {
  name: 'Thabo, always',
  effect: 'allow',
  who: [{ kind: 'User', id: thabo._id }],
  where: [{ kind: 'Door', id: door }],
})
const operator = await server.signInAs({ role: 'accessManager', account })

const saturday = '2027-02-06T12:00:00.000Z'
const monday = '2027-02-08T06:00:00.000Z'

/** A page of the users who can open the door. */
async function people(query = '', headers: Record<string, string> = {}) {
  const answer = await operator.ask('GET', `/api/doors/${door}/access?at=${saturday}${query}`, { headers })
  expect(answer.status).toBe(200)
  return doorAccess.output.parse(answer.json)
}

async function decided(body: Record<string, unknown>) {
  const answer = await operator.ask('POST', '/api/explorer/decide', { body: { door, at: saturday, ...body } })
  expect([answer.status, answer.error.message]).toEqual([200, ''])
  return decideAccess.output.parse(answer.json)
}

describe('who can open a door', () => {
  test('are listed by name, each with the rules and the next period of access', async () => {
    const { items, counts, page, door: returnedDoor } = await people()
    expect(returnedDoor).toMatchObject({
      name: 'Loading Bay 2',
      site: { name: 'Cold Store', timeZone: 'Europe/London' },
    })
    expect(items.map(({ user, state, opens, reason }) => [user.name, state, opens[0]?.span, reason])).toEqual([
      ['Nomsa Dlamini', 'later', { from: monday, until: '2027-02-08T18:00:00.000Z' }, 'outside_schedule'],
      ['Øyvind Åsen', 'later', { from: monday, until: '2027-02-08T18:00:00.000Z' }, 'outside_schedule'],
      ['Thabo Nkosi', 'now', { from: saturday, until: null }, null],
    ])
    expect(items[0]?.rules).toMatchObject([
      {
        name: 'Warehouse staff',
        effect: 'allow',
        schedule: { name: 'Day shift', windows: [{ days: [1, 2, 3, 4, 5], start: '06:00', end: '18:00' }] },
        who: { kind: 'User Group', name: 'Warehouse' },
        where: { kind: 'Site', name: 'Cold Store' },
      },
    ])
    expect([counts, page.totalElements]).toEqual([{ now: 1, later: 2, never: 1, noRoom: 0 }, 3])
  })

  test('are searched without accents, filtered by state, and paged', async () => {
    const names = async (query: string) => (await people(query)).items.map(({ user }) => user.name)
    expect(await names('&search=asen')).toEqual(['Øyvind Åsen'])
    expect(await names('&can=now')).toEqual(['Thabo Nkosi'])
    expect(await names('&can=never')).toEqual(['Lena Vogt'])
    expect(await names('&can=all&size=2&page=1')).toEqual(['Øyvind Åsen', 'Thabo Nkosi'])
  })

  test('are returned with the reason that denies them', async () => {
    const [row] = (await people('&can=never')).items
    expect(row).toMatchObject({
      state: 'never',
      verdict: 'deny',
      reason: 'holder_inactive',
      opens: [
        { direction: 'entry', span: null },
        { direction: 'exit', span: null },
      ],
      credentials: 1,
    })
  })

  test('change with the policy', async () => {
    const late = await addPerson('Zanele Late', { number: '0412-9' })
    expect((await people('&search=zanele')).items).toHaveLength(1)
    expect((await operator.ask('DELETE', `/api/credentials/${late.card}`)).status).toBe(204)
    expect((await people('&search=zanele')).items).toHaveLength(0)
  })

  test('are exported with their hours as text, on all pages', async () => {
    const { fileName, lines } = await exported(`doors/${door}`, { can: 'all' })
    expect(fileName).toMatch(/^users-of-door-harbour-[\d-]+\.csv$/)
    expect(lines[0]).toBe(
      'User,Can open,Going in from,Going in until,Going out from,Going out until,Refused now,Rules,Hours',
    )
    expect(lines).toContain(
      'Nomsa Dlamini,later,2027-02-08 06:00:00,2027-02-08 18:00:00,2027-02-08 06:00:00,2027-02-08 18:00:00,Outside schedule,Warehouse staff,Mon-Fri 06:00-18:00',
    )
    expect(lines).toContain('Lena Vogt,no,,,,,User suspended,Warehouse staff,Mon-Fri 06:00-18:00')
    const left = await server.in(account)('GET', '/api/auditLogs?filter={"action":"export"}')
    expect(left.items).toMatchObject([
      {
        collection: 'users',
        after: { format: 'csv', filter: { door, can: 'all' }, rows: lines.length - 1, isWhole: true },
      },
    ])
  })
})

test('an export in Spanish has no English word', async () => {
  const { _id: user } = await addPerson('Ana Ruiz', { number: '0412-8' })
  const rule = { who: [{ kind: 'User', id: user }], where: [{ kind: 'Door', id: door }] }
  const adhoc = { from: '2027-02-06T08:00:00.000Z', until: '2027-02-06T09:00:00.000Z' }
  await make('rules', { name: 'Visita', effect: 'allow', adhoc, ...rule })
  await make('rules', { name: 'Obras', effect: 'deny', ...rule })
  const people = await exported(`doors/${door}`, { can: 'all', search: 'Ana', language: 'es' })
  expect(people.fileName).toMatch(/^usuarios-de-puerta-harbour-[\d-]+\.csv$/)
  expect(people.lines).toEqual([
    'Usuario,Puede abrir,"Al entrar, desde","Al entrar, hasta","Al salir, desde","Al salir, hasta",Denegado ahora,Reglas,Horas',
    'Ana Ruiz,no,,,,,Denegado por una regla,Visita; Warehouse staff; Obras (deniega),"siempre, desde 2027-02-06 08:00:00 hasta 2027-02-06 09:00:00 | lun-vie 06:00-18:00"',
  ])
  const doors = await exported(`users/${user}`, { can: 'all', language: 'es' })
  expect(doors.fileName).toMatch(/^puertas-de-usuario-harbour-[\d-]+\.csv$/)
  expect(doors.lines[0]).toMatch(/^Puerta,Sitio,Puede abrir,/)
})

/** An access list as CSV. */
async function exported(of: string, body: Record<string, unknown>) {
  const response = await fetch(`${server.url}/api/${of}/access/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-js-account': account, ...operator.headers },
    body: JSON.stringify({ format: 'csv', at: saturday, timeZone: 'Europe/London', ...body }),
  })
  const [, fileName] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { fileName, lines: (await response.text()).trim().split('\r\n') }
}

test('the doors that a user can open are listed by name, and found by site too', async () => {
  const answer = await operator.ask('GET', `/api/users/${nomsa._id}/access?at=${saturday}&search=cold`)
  const { items, user } = userAccess.output.parse(answer.json)
  expect(user.name).toBe('Nomsa Dlamini')
  expect(items).toMatchObject([
    {
      door: { _id: door, site: { name: 'Cold Store' } },
      state: 'later',
      opens: [{ direction: 'entry', span: { from: monday } }, {}],
    },
  ])
  const none = await operator.ask('GET', `/api/users/${lena._id}/access?at=${saturday}`)
  expect(userAccess.output.parse(none.json).items).toEqual([])
})

describe('whether a door would open', () => {
  test('is returned with every check, the items it used and the change that would make it pass', async () => {
    const { verdict, reason, person, credential, findings, days } = await decided({ user: nomsa._id })
    expect([verdict, reason, person?.name]).toEqual(['deny', 'outside_schedule', 'Nomsa Dlamini'])
    expect(credential).toEqual({ _id: nomsa.card, kind: 'card', number: '0412-1', status: 'active' })
    expect(findings.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'door passed',
      'mode passed',
      'credential passed',
      'holder passed',
      'deny_rule passed',
      'allow_rule refused',
      'state not_asked',
      'pin not_asked',
      'second_person not_asked',
      'approval not_asked',
    ])
    expect(findings[5]).toMatchObject({
      step: 'allow_rule',
      reason: 'outside_schedule',
      things: [
        { kind: 'rule', name: 'Warehouse staff' },
        { kind: 'schedule', name: 'Day shift' },
      ],
      change: { code: 'widen_schedule', of: { kind: 'schedule', _id: place.schedule._id, name: 'Day shift' } },
    })
    expect(days.map(({ date, open }) => `${date} ${open.length}`)).toEqual([
      '2027-02-06 0',
      '2027-02-07 0',
      '2027-02-08 1',
      '2027-02-09 1',
      '2027-02-10 1',
      '2027-02-11 1',
      '2027-02-12 1',
    ])
  })

  test('is queried by user, credential or number, at an instant or in local time of the site', async () => {
    for (const who of [{ user: nomsa._id }, { credential: nomsa.card }, { number: nomsa.number }]) {
      for (const at of ['2027-07-05T05:30:00Z', '2027-07-05T07:30:00+01:00', '2027-07-05T06:30']) {
        const answer = await decided({ ...who, at })
        expect([answer.verdict, answer.siteTime.slice(0, 10)]).toEqual(['grant', '2027-07-05'])
      }
    }
  })

  test('matches the decision of a controller in any season', async () => {
    expect((await decided({ user: nomsa._id, at: '2027-07-05T05:59' })).reason).toBe('outside_schedule')
    expect((await decided({ user: nomsa._id, at: '2027-07-05T06:00' })).reason).toBe(null)
    expect((await decided({ user: thabo._id, direction: 'exit' })).verdict).toBe('grant')
    expect((await decided({ number: 'nobody-s' })).reason).toBe('credential_unknown')
  })

  test("includes the user's other credentials", async () => {
    const spare = await make('credentials', { kind: 'card', number: '0412-22', user: oyvind._id, status: 'lost' })
    const { others, credential } = await decided({ user: oyvind._id })
    expect(credential?.number).toBe('0412-2')
    expect(others).toMatchObject([{ credential: { _id: spare._id, status: 'lost' }, reason: 'credential_lost' }])
  })

  test('includes at most 50 of them, and how many more there are', async () => {
    const zola = await addPerson('Zola Many', { number: '0413-0' })
    const lost = { kind: 'card', user: zola._id, status: 'lost' }
    await Promise.all(
      Array.from({ length: 52 }, (_, each) => make('credentials', { ...lost, number: `0413-1${each}` })),
    )
    const { others, moreOthers, credential } = await decided({ user: zola._id })
    expect([credential?._id, others.length, moreOthers]).toEqual([zola.card, 50, 2])
  })

  test.each([
    [{ user: undefined }, 'user'],
    [{ user: nomsa._id, number: '1' }, 'user'],
    [{ user: nomsa._id, at: 'tomorrow' }, 'at'],
    [{ user: nomsa._id, at: '2027-02-31T12:00' }, 'at'],
    [{ user: nomsa._id, at: '2099-01-01T12:00' }, 'at'],
    [{ user: nomsa._id, direction: 'up' }, 'direction'],
    [{ user: nomsa._id, door: 'the gate' }, 'door'],
  ])('is refused for %j: a 400 names %s', async (body, field) => {
    const answer = await operator.ask('POST', '/api/explorer/decide', { body: { door, ...body } })
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, [field]])
  })
})

describe('items out of scope', () => {
  test('give the same 404 as missing items', async () => {
    const other = await makeBuilding(server, 'quarry')
    const stranger = await other.addPerson('Quinn Stone', { number: '77' })
    const absent = '01a1f4af-0000-7000-8000-000000000000'
    for (const id of [other.door._id, absent, 'gate']) {
      expect((await operator.ask('GET', `/api/doors/${id}/access`)).error.message).toBe(
        'There is no such item in doors.',
      )
    }
    for (const id of [stranger._id, absent, 'nobody']) {
      expect((await operator.ask('GET', `/api/users/${id}/access`)).error.message).toBe(
        'There is no such item in users.',
      )
    }
    for (const who of [
      { user: stranger._id },
      { user: absent },
      { credential: stranger.card },
      { credential: absent },
    ]) {
      expect((await operator.ask('POST', '/api/explorer/decide', { body: { door, ...who } })).status).toBe(404)
    }
    const unknown = await decided({ number: stranger.number })
    expect([unknown.reason, unknown.person, unknown.credential]).toEqual(['credential_unknown', null, null])
  })

  test('count if rules of accounts above grant access, but have no names', async () => {
    const above = (collection: 'users' | 'credentials' | 'rules' | 'schedules', fields: Record<string, unknown>) =>
      makeItem({ ask: server.in(server.account), collection, fields })
    const guard = await above('users', { name: 'Gus Guard' })
    await above('credentials', { kind: 'card', number: '900', user: guard._id })
    const always = await above('schedules', {
      name: 'Secret hours',
      windows: [{ days: [6], start: '00:00', end: '24:00' }],
    })
    await above('rules', {
      name: 'Secret rounds',
      effect: 'allow',
      who: [
        { kind: 'User', id: guard._id },
        { kind: 'User', id: nomsa._id },
      ],
      where: [{ kind: 'Site', id: place.site._id }],
      schedule: always._id,
    })
    const area = { name: 'Secret area', members: [door], antiPassback: { kind: 'soft', minutes: 1 } }
    await makeItem({ ask: server.in(server.account), collection: 'doorGroups', fields: area })
    const { items, hidden } = await people('&search=nomsa')
    expect(hidden).toBe(1)
    expect(items).toMatchObject([{ user: { name: 'Nomsa Dlamini' }, state: 'now' }])
    expect(items[0]?.rules.map(({ _id, name }) => [_id === null, name])).toEqual([
      [true, null],
      [false, 'Warehouse staff'],
    ])
    const answers = [
      await decided({ user: nomsa._id }),
      await decided({ number: '900' }),
      await people('&can=all'),
    ].map((answer) => JSON.stringify(answer))
    for (const answer of answers) expect(answer).not.toMatch(/Secret|Gus/)
    for (const answer of answers) for (const { _id } of [guard, always]) expect(answer).not.toContain(_id)
    expect(answers[0]).toContain('{"_id":null,"name":null,"kind":"rule"}')
    expect(JSON.parse(answers[1] ?? '')).toMatchObject({ verdict: 'grant', person: { _id: null, name: null } })
  })
})

test('only users who may view rules, doors and users have access to the explorer', async () => {
  const statusesFor = async (role: 'admin' | 'installer' | 'accountManager' | 'reportingUser' | 'appUser') => {
    const person = await server.signInAs({ role, account })
    const answers = [
      await person.ask('GET', `/api/doors/${door}/access`),
      await person.ask('GET', `/api/users/${nomsa._id}/access`),
      await person.ask('POST', '/api/explorer/decide', { body: { door, user: nomsa._id } }),
      await person.ask('POST', `/api/doors/${door}/access/export`, { body: { format: 'csv' } }),
      await person.ask('POST', `/api/users/${nomsa._id}/access/export`, { body: { format: 'csv' } }),
    ]
    return [...new Set(answers.map(({ status }) => status))]
  }
  expect(await statusesFor('admin')).toEqual([200])
  expect(await statusesFor('installer')).toEqual([403])
  expect(await statusesFor('accountManager')).toEqual([403])
  expect(await statusesFor('reportingUser')).toEqual([403])
  expect(await statusesFor('appUser')).toEqual([403])
})
