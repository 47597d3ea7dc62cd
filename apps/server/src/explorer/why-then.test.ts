import { decideAccess } from '@portcullis/contract/calls/explorer'
import { whyThen } from '@portcullis/contract/calls/why-then'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { makeBuilding } from './test-building.ts'
import { storeDecision, testMoment } from './test-decisions.ts'

const server = await startTestServer()
afterAll(server.stop)

const building = await makeBuilding(server, 'harbour')
const { make, addPerson, account } = building
const ask = server.in(account)
const key = await server.keyOf(account)

let unitDoor = 1

/** A door of the same site with an always-open rule for a new user. */
async function openDoor(name: string) {
  const person = await addPerson(name, { number: uuidv7().slice(-12), groups: [] })
  unitDoor += 1
  const door = await make('doors', { site: building.site._id, unit: building.unit._id, unitDoor })
  const rule = await make('rules', {
    name: `${name}, always`,
    who: [{ kind: 'User', id: person._id }],
    where: [{ kind: 'Door', id: door._id }],
  })
  return { person, door: door._id, doorName: String(door['name']), rule: rule._id, credential: person.card }
}

/** An attempt now, decided by the policy of this moment and stored as a controller's event. */
async function attempt({ door, credential }: { door: string; credential: string }, fields: Partial<Stored> = {}) {
  const at = await testMoment()
  const { json } = await ask('POST', '/api/explorer/decide', { body: { door, credential, at } })
  const decided = decideAccess.output.parse(json)
  const outcome = decided.verdict === 'grant' ? 'granted' : 'denied'
  const { reason } = decided
  const event = await storeDecision(server.database, { account: key, at, door, credential, outcome, reason, ...fields })
  return { event, at, decided }
}

type Stored = Parameters<typeof storeDecision>[1]

async function why(event: string, by: TestUser['ask'] = ask) {
  const { status, json, error } = await by('GET', `/api/events/${event}/whyThen`)
  expect([status, error.message]).toEqual([200, ''])
  return whyThen.output.parse(json)
}

test('a denial is explained by the rule of that time after it was changed, undone and deleted', async () => {
  const site = await openDoor('Nomsa Dlamini')
  const rule = `/api/rules/${site.rule}`
  await ask('PATCH', rule, { body: { enabled: false, name: 'Closed' } })
  const { event, decided } = await attempt(site)
  const changed = await ask('PATCH', rule, { body: { enabled: true, direction: 'entry' } })
  await ask('POST', `/api/auditLogs/${changed.headers.get('x-history-id')}/undo`)
  await ask('PATCH', rule, { body: { enabled: true } })
  const deleted = await ask('DELETE', rule)
  expect(deleted.status).toBe(204)
  const answer = await why(event)
  expect(answer.decision).toEqual({ verdict: 'deny', reason: 'no_access', findings: decided.findings })
  expect(answer.decision?.findings[5]?.change).toMatchObject({ code: 'add_rule' })
  expect(answer).toMatchObject({ obstacle: null, historyFrom: null, serverDecision: null, moreChanges: 0 })
})

test('all checks of a grant are as they were, and each change since is listed with its entry', async () => {
  const site = await openDoor('Thabo Nkosi')
  const { event, decided } = await attempt(site)
  expect(decided.verdict).toBe('grant')
  expect((await why(event)).changes).toEqual([])
  const rule = `/api/rules/${site.rule}`
  await ask('PATCH', rule, { body: { name: 'Thabo by night' } })
  const first = await ask('PATCH', rule, { body: { direction: 'exit', schedule: building.schedule._id } })
  const undone = await ask('POST', `/api/auditLogs/${first.headers.get('x-history-id')}/undo`)
  const deleted = await ask('DELETE', rule)
  const suspended = await ask('PATCH', `/api/users/${site.person._id}`, { body: { status: 'suspended' } })
  const answer = await why(event)
  expect(answer.decision).toEqual({ verdict: 'grant', reason: null, findings: decided.findings })
  expect(answer.now).toMatchObject({ verdict: 'deny', reason: 'holder_inactive' })
  const of = { kind: 'rule', _id: site.rule, name: 'Thabo Nkosi, always', actorName: 'Administrator' }
  const entry = ({ headers }: typeof first) => headers.get('x-history-id')
  expect(answer.changes).toMatchObject([
    { kind: 'user', _id: site.person._id, action: 'patch', fields: ['status'], entry: entry(suspended) },
    { ...of, action: 'delete', fields: [], isUndo: false, entry: entry(deleted) },
    {
      ...of,
      action: 'patch',
      fields: ['direction', 'schedule'],
      isUndo: true,
      entry: z.object({ entry: z.uuid() }).parse(undone.json).entry,
    },
    { ...of, action: 'patch', fields: ['direction', 'schedule'], isUndo: false, entry: entry(first) },
  ])
})

test('members of groups, schedules and holidays are as they were', async () => {
  const person = await addPerson('Lena Vogt', { number: '0512-3' })
  const door = building.door._id
  await ask('PATCH', `/api/schedules/${building.schedule._id}`, {
    body: { windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }] },
  })
  const { event, decided } = await attempt({ door, credential: person.card })
  expect(decided.verdict).toBe('grant')
  const left = await ask('PATCH', `/api/userGroups/${building.group._id}`, { body: { members: [] } })
  await ask('PATCH', `/api/schedules/${building.schedule._id}`, { body: { windows: [] } })
  const today = new Date().toISOString().slice(0, 10)
  const holiday = await make('holidays', {
    name: 'Founders’ day',
    dates: [{ from: today, until: today, recurring: false }],
  })
  await make('holidays', { name: 'Long past', dates: [{ from: '2020-01-01', until: '2020-01-01', recurring: false }] })
  const answer = await why(event)
  expect(answer.decision).toEqual({ verdict: 'grant', reason: null, findings: decided.findings })
  expect(answer.now).toMatchObject({ verdict: 'deny', reason: 'no_access' })
  expect(answer.changes.map(({ kind, _id, action, fields }) => ({ kind, _id, action, fields }))).toEqual([
    { kind: 'holiday', _id: holiday._id, action: 'create', fields: [] },
    { kind: 'schedule', _id: building.schedule._id, action: 'patch', fields: ['windows'] },
    { kind: 'userGroup', _id: building.group._id, action: 'left', fields: [] },
  ])
  await ask('DELETE', `/api/holidays/${holiday._id}`)
  expect(answer.changes[2]).toMatchObject({ name: 'Warehouse', entry: left.headers.get('x-history-id') })
})

test('a deleted user, credential and door are read from their deletion', async () => {
  const site = await openDoor('Øyvind Åsen')
  await ask('PATCH', `/api/users/${site.person._id}`, { body: { validUntil: '2020-01-01T00:00:00Z' } })
  const { event, decided } = await attempt(site)
  expect(decided.reason).toBe('expired')
  for (const path of [
    `rules/${site.rule}`,
    `credentials/${site.credential}`,
    `doors/${site.door}`,
    `users/${site.person._id}`,
  ]) {
    expect((await ask('DELETE', `/api/${path}`)).status, path).toBe(204)
  }
  const answer = await why(event)
  const outcomes = (findings: readonly { step: string; outcome: string }[] = []) =>
    findings.map(({ step, outcome }) => [step, outcome])
  expect(answer.decision).toMatchObject({ verdict: 'deny', reason: 'expired' })
  expect(outcomes(answer.decision?.findings)).toEqual(outcomes(decided.findings))
  expect(answer.changes.map(({ kind, action, name }) => [kind, action, name])).toEqual([
    ['user', 'delete', 'Øyvind Åsen'],
    ['door', 'delete', site.doorName],
    ['credential', 'delete', null],
    ['rule', 'delete', 'Øyvind Åsen, always'],
  ])
})

test('a controller that was out of sync is explained by its own policy, with that of the server beside it', async () => {
  const site = await openDoor('Zola Late')
  const { version } = await server.policies.latestOfAccount(key)
  await ask('PATCH', `/api/rules/${site.rule}`, { body: { effect: 'deny' } })
  const outOfSync = { policyVersion: version, outcome: 'granted', reason: null } as const
  const { event } = await attempt(site, outOfSync)
  const answer = await why(event)
  expect(answer.decision).toMatchObject({ verdict: 'grant', reason: null })
  expect(answer.serverDecision).toMatchObject({ verdict: 'deny', reason: 'denied_by_rule' })
  expect(answer.changes).toMatchObject([{ kind: 'rule', _id: site.rule, fields: ['effect'] }])
  // A later version that does not concern this decision is no difference.
  await make('userGroups')
  const inSync = await attempt(site, { policyVersion: version + 1 })
  expect(await why(inSync.event)).toMatchObject({ serverDecision: null, decision: { reason: 'denied_by_rule' } })
})

test('a controller that was out of sync in a lockdown is explained with the users whom the lockdown lets pass', async () => {
  const site = await openDoor('Guard at night')
  const guards = await make('userGroups', { members: [site.person._id] })
  const mayPass = [{ kind: 'User Group', id: guards._id }]
  const plan = await make('lockdownPlans', { places: [{ kind: 'Door', id: site.door }], mayPass })
  const { version } = await server.policies.latestOfAccount(key)
  await ask('POST', `/api/lockdownPlans/${plan._id}/start`)
  await ask('PATCH', `/api/rules/${site.rule}`, { body: { effect: 'deny' } })
  const { event } = await attempt(site, { policyVersion: version, outcome: 'granted', reason: null })
  const answer = await why(event)
  expect(answer.decision).toMatchObject({ verdict: 'grant', reason: null })
  const mode = answer.decision?.findings.find(({ step }) => step === 'mode')
  expect(mode).toMatchObject({ outcome: 'passed', facts: { mode: 'lockdown', mayPass: [{ _id: guards._id }] } })
})

test('a member added with the group is one change of the policy', async () => {
  const site = await openDoor('Ada First')
  await ask('DELETE', `/api/rules/${site.rule}`)
  const group = await make('userGroups')
  await make('rules', { who: [{ kind: 'User Group', id: group._id }], where: [{ kind: 'Door', id: site.door }] })
  const { version } = await server.policies.latestOfAccount(key)
  await ask('PATCH', `/api/users/${site.person._id}`, { body: { groups: [group._id] } })
  const { event } = await attempt(site, { policyVersion: version, outcome: 'denied', reason: 'no_access' })
  const answer = await why(event)
  expect(answer.decision).toMatchObject({ verdict: 'deny', reason: 'no_access' })
  expect(answer.serverDecision).toMatchObject({ verdict: 'grant' })
})

describe('events that cannot be evaluated', () => {
  test.each([
    ['no_credential', { credential: null }],
    ['no_door', { door: null }],
    ['no_decision', { outcome: null, type: 'access.remote_requested' }],
    ['no_decision', { category: 'unit', type: 'unit.online', outcome: null, door: null, credential: null }],
  ] as const)('name the obstacle %s', async (obstacle, fields) => {
    const { door, credential } = { door: building.door._id, credential: uuidv7() }
    const at = await testMoment()
    const stored = { account: key, at, door, credential, outcome: 'denied', reason: null, ...fields } as const
    const answer = await why(await storeDecision(server.database, stored))
    expect(answer).toMatchObject({ at, obstacle, decision: null, now: null, changes: [] })
  })

  test('before the audit log begins, the earliest known state is used and named', async () => {
    const site = await openDoor('Past Visitor')
    const at = '2020-03-02T10:00:00.000Z'
    const { door, credential } = site
    const stored = { account: key, at, door, credential, outcome: 'denied', reason: 'no_access' } as const
    const answer = await why(await storeDecision(server.database, stored))
    expect(answer.historyFrom).not.toBeNull()
    expect(answer.decision).toMatchObject({ reason: 'door_unknown' })
  })
})

describe('rights', () => {
  test('events out of scope and unknown ids give the same 404', async () => {
    const { event } = await attempt(await openDoor('Own Event'))
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'quarry' } })
    const beside = await server.signInAs({ role: 'admin', account: 'quarry' })
    for (const id of [event, uuidv7(), 'seven']) {
      const { status, error } = await beside.ask('GET', `/api/events/${id}/whyThen`)
      expect([status, error.message], id).toEqual([404, 'There is no such item in events.'])
    }
  })

  test('items out of scope come without id and name, and their changes are only counted', async () => {
    const site = await openDoor('Seen Below')
    await ask('DELETE', `/api/rules/${site.rule}`)
    const above = (collection: 'rules' | 'schedules', fields: Record<string, unknown>) =>
      makeItem({ ask: server.ask, collection, fields })
    const hours = await above('schedules', {
      name: 'Secret hours',
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }],
    })
    const subjects = { who: [{ kind: 'User', id: site.person._id }], where: [{ kind: 'Door', id: site.door }] }
    const rule = await above('rules', { name: 'Secret rounds', schedule: hours._id, ...subjects })
    const { event } = await attempt(site)
    await server.ask('PATCH', `/api/rules/${rule._id}`, { body: { effect: 'deny' } })
    await server.ask('PATCH', `/api/schedules/${hours._id}`, { body: { windows: [] } })
    const manager = await server.signInAs({ role: 'accessManager', account })
    const answer = await why(event, manager.ask)
    expect(answer).toMatchObject({ decision: { verdict: 'grant' }, changes: [], moreChanges: 2 })
    const text = JSON.stringify(answer)
    expect(text).not.toMatch(/Secret/)
    for (const { _id } of [rule, hours]) expect(text).not.toContain(_id)
  })

  test('a user who may only view events sees no names, and no entries of the audit log', async () => {
    const site = await openDoor('Hidden Person')
    const { event } = await attempt(site)
    await ask('PATCH', `/api/users/${site.person._id}`, { body: { status: 'suspended' } })
    await ask('PATCH', `/api/doors/${site.door}`, { body: { requiresRemoteAuth: true } })
    const guard = await server.signInAs({ role: 'accessManager', account })
    const answer = await why(event, guard.ask)
    expect(answer.changes.map(({ entry, actorName }) => [entry, actorName])).toEqual([
      [null, null],
      [null, null],
    ])
    const reader = await server.signInAs({ role: 'reportingUser', account })
    const text = JSON.stringify(await why(event, reader.ask))
    expect(JSON.parse(text)).toMatchObject({ decision: { verdict: 'grant' }, now: null })
    for (const hidden of ['Hidden Person', site.person._id, site.rule]) expect(text).not.toContain(hidden)
  })
})
