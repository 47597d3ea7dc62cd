import { guestClient } from '@portcullis/client/guest-client'
import { createHttp } from '@portcullis/client/http'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { events } from '@portcullis/contract/collections/events'
import { rules } from '@portcullis/contract/collections/rules'
import { users } from '@portcullis/contract/collections/users'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { guestRequests } from './guests/calls.ts'
import { makeToken } from './sessions/token.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
/** A door with a keypad, at a controller that is connected. */
let door: string
let unit: string
let virtual: VirtualUnit
const atTheEnd: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer()
  const wired = await wiredDoor(server.ask, { acceptsPinAlone: true })
  door = wired.door
  unit = wired.unit
  virtual = await startUnit(server, { ...wired, whenDone: (stop) => atTheEnd.push(stop) })
})
afterAll(async () => {
  for (const stop of atTheEnd) await stop()
  await server.stop()
})

const around = { from: at(-1), until: at(2) }
const ended = { state: 'ended', access: null }

function at(hours: number) {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

type Invitation = Parameters<TestServer['client']['rules']['inviteGuest']>[0]

function invite(fields: Partial<Invitation> = {}) {
  return server.client.rules.inviteGuest({
    name: 'Zoltán Szabó',
    doors: [door],
    adhoc: around,
    by: ['link'],
    ...fields,
  })
}

function guestWith(link: string | null) {
  const token = tokenOf(link)
  const http = createHttp({ baseUrl: server.url, account: () => null, headers: () => ({ origin: server.url }) })
  return guestClient(http, token)
}

function tokenOf(link: string | null) {
  return new URL(link ?? 'http://none').hash.slice(1)
}

const patchRule = (id: string, fields: object) => server.ask('PATCH', `/api/rules/${id}`, { body: fields })

test('§5 guest: a link opens a door at its controller, and the event and the audit log name the guest', async () => {
  const { link, rule, user } = await invite()
  await inSync(server, unit)
  const guest = guestWith(link)
  const { state, access } = await guest.access()
  const shown = { guest: 'Zoltán Szabó', ...around, doors: [{ _id: door, command: null }] }
  expect({ state, ...access }).toMatchObject({ state: 'active', ...shown })
  expect((await guest.open(door)).refused).toBeNull()
  await vi.waitFor(async () => {
    expect((await guest.access()).access?.doors[0]?.command).toMatchObject({ status: 'confirmed' })
  })
  await vi.waitFor(async () => {
    const { items } = await server.client.of(events).list({ filter: { user } })
    expect(items.map((event) => [event.type, event.door])).toContainEqual(['door.unlocked_once', door])
  })
  const log = await server.client.of(auditLogs).list({ filter: { item: door, actor: user } })
  expect(log.items[0]).toMatchObject({ action: 'unlock', actorName: 'Zoltán Szabó' })
  expect(await server.client.of(rules).get(rule)).toMatchObject({ guest: user, adhoc: around })
})

test('§5 guest: a code opens the door alone, is known to no other guest, and a new code replaces it', async () => {
  const one = await invite({ by: ['code'] })
  const other = await invite({ by: ['code', 'link'] })
  expect(one.code).toMatch(/^\d{6}$/)
  expect(other.code).not.toBe(one.code)
  expect(other.link).toContain('/guest#')
  const present = (pin: string | null) => virtual.present({ door: 1, direction: 'entry', kind: 'pin', pin: pin ?? '' })
  await inSync(server, unit)
  expect(await present(one.code)).toEqual({ verdict: 'grant', reason: null })
  const { code } = await server.client.rules.renewGuest(one.rule, { by: 'code' })
  await inSync(server, unit)
  expect(await present(code)).toEqual({ verdict: 'grant', reason: null })
  expect(await present(one.code)).toEqual({ verdict: 'deny', reason: 'pin_invalid' })
  const { items } = await server.client.of(credentials).list({ filter: { user: one.user } })
  expect(items.map(({ kind, number }) => [kind, number])).toEqual([['pin', '••••']])
  await patchRule(one.rule, { adhoc: { from: at(-2), until: at(-1) } })
  await inSync(server, unit)
  expect((await present(code)).verdict).toBe('deny')
})

test('§5 guest: a code needs a door that accepts a PIN alone', async () => {
  const { door: withoutKeypad } = await wiredDoor(server.ask)
  const refused = { status: 422, code: 'no_door_takes_pins' }
  const both = { name: 'Without Keypad', doors: [withoutKeypad], by: ['link' as const, 'code' as const] }
  await expect(invite(both)).rejects.toMatchObject(refused)
  expect((await server.client.of(users).list({ search: both.name })).items).toEqual([])
  const { rule } = await invite({ doors: [withoutKeypad] })
  await expect(server.client.rules.renewGuest(rule, { by: 'code' })).rejects.toMatchObject(refused)
  expect((await invite({ doors: [withoutKeypad, door], by: ['code'] })).code).toMatch(/^\d{6}$/)
})

test('§5 guest: the page shows access that has not begun, and opens nothing', async () => {
  const { link } = await invite({ adhoc: { from: at(1), until: at(2) } })
  const guest = guestWith(link)
  expect((await guest.access()).state).toBe('upcoming')
  expect((await guest.open(door)).refused).toBe('adhoc_not_started')
})

describe('§5 guest: a link no longer opens once', () => {
  test.each<[string, (pass: { rule: string; user: string }) => Promise<unknown>, string]>([
    ['its access was ended', ({ rule }) => patchRule(rule, { adhoc: { from: at(-2), until: at(-1) } }), 'ended'],
    ['its rule was deleted', ({ rule }) => server.client.of(rules).remove(rule), 'ended'],
    ['it was replaced', ({ rule }) => server.client.rules.renewGuest(rule, { by: 'link' }), 'ended'],
    ['its rule was disabled', ({ rule }) => patchRule(rule, { enabled: false }), 'withdrawn'],
    [
      'the guest was suspended',
      ({ user }) => server.client.of(users).patch(user, { status: 'suspended' }),
      'withdrawn',
    ],
    ['its credential was revoked', revokeAll, 'withdrawn'],
    ['its credential was deleted', deleteAll, 'ended'],
  ])('%s', async (_, end, state) => {
    const pass = await invite()
    const guest = guestWith(pass.link)
    expect((await guest.access()).state).toBe('active')
    await end(pass)
    expect(await guest.access()).toEqual({ state, access: null })
    expect(await guest.open(door)).toEqual({ refused: 'adhoc_ended', access: { state, access: null } })
  })

  async function revokeAll({ user }: { user: string }) {
    for (const id of await credentialsOf(user)) await server.client.of(credentials).patch(id, { status: 'revoked' })
  }

  async function deleteAll({ user }: { user: string }) {
    for (const id of await credentialsOf(user)) await server.client.of(credentials).remove(id)
  }

  async function credentialsOf(user: string) {
    const { items } = await server.client.of(credentials).list({ filter: { user } })
    return items.map(({ _id }) => _id)
  }
})

test('§5 guest: a suspended account takes back the links of its guests', async () => {
  const account = await makeItem({ ask: server.ask, collection: 'accounts' })
  const below = server.in(String(account['ref']))
  const inside = await wiredDoor(below)
  const invited = await below('POST', '/api/rules/guests', {
    body: { name: 'Guest', doors: [inside.door], adhoc: around, by: ['link'] },
  })
  const guest = guestWith(linkIn(invited.json))
  expect((await guest.access()).state).toBe('active')
  await server.ask('POST', `/api/accounts/${account._id}/suspend`)
  expect(await guest.access()).toEqual({ state: 'withdrawn', access: null })
})

function linkIn(json: unknown) {
  const link = typeof json === 'object' && json !== null && 'link' in json ? json.link : null
  return typeof link === 'string' ? link : null
}

test('§5 guest: extended access works on with the same link', async () => {
  const { link, rule } = await invite({ adhoc: { from: at(-2), until: at(-1) } })
  const guest = guestWith(link)
  expect((await guest.access()).state).toBe('ended')
  await patchRule(rule, { adhoc: around })
  expect((await guest.access()).state).toBe('active')
})

test('§5 guest: a link is decided as at the reader: modes of the door, PIN, approval and anti-passback refuse it', async () => {
  const { door: other } = await wiredDoor(server.ask)
  const guest = guestWith((await invite({ doors: [other] })).link)
  const refusalAfter = async (path: string, body: object, method = 'PATCH') => {
    expect((await server.ask(method, path, { body })).status).toBeLessThan(300)
    return (await guest.open(other)).refused
  }
  const mode = `/api/doors/${other}/mode`
  expect(await refusalAfter(mode, { mode: 'lockdown' }, 'PUT')).toBe('door_locked_down')
  expect(await refusalAfter(mode, { mode: 'blocked' }, 'PUT')).toBe('door_blocked')
  await server.ask('PUT', mode, { body: { mode: 'normal' } })
  expect(await refusalAfter(`/api/doors/${other}`, { requiresPin: true })).toBe('pin_required')
  const approval = { requiresPin: false, requiresRemoteAuth: true }
  expect(await refusalAfter(`/api/doors/${other}`, approval)).toBe('remote_approval_required')
  await server.ask('PATCH', `/api/doors/${other}`, { body: { requiresRemoteAuth: false } })
  const antiPassback = { kind: 'hard' as const, minutes: 10 }
  await server.client.of(doorGroups).create({ name: 'Area', members: [other], antiPassback })
  const presses = await Promise.all([guest.open(other), guest.open(other), guest.open(other)])
  expect(presses.map(({ refused }) => refused)).toEqual(['needs_reader', 'needs_reader', 'needs_reader'])
  const { items } = await server.client.of(events).list({ filter: { door: other, type: 'access.guest_refused' } })
  const reasons = ['needs_reader', 'remote_approval_required', 'pin_required', 'door_blocked', 'door_locked_down']
  expect(items.map(({ data }) => data.note)).toEqual(reasons.map((reason) => ({ code: 'guest_refused', reason })))
  expect(items[1]).toMatchObject({
    reason: 'remote_approval_required',
    outcome: null,
    data: { names: { user: 'Zoltán Szabó' } },
  })
})

test('§5 guest: a door whose controller is offline does not open, and the page learns why', async () => {
  const { door: offline } = await wiredDoor(server.ask)
  const guest = guestWith((await invite({ doors: [offline] })).link)
  const { refused, access } = await guest.open(offline)
  expect({ refused, command: access.access?.doors[0]?.command }).toMatchObject({
    refused: null,
    command: { status: 'not_delivered', detail: 'not_connected' },
  })
})

test('§5 guest: a double press sends one command', async () => {
  const { link, user } = await invite()
  const guest = guestWith(link)
  const presses = await Promise.all([guest.open(door), guest.open(door), guest.open(door)])
  expect(presses.map(({ refused }) => refused)).toEqual([null, null, null])
  const commands = sql`select from unit_command where unit_command_requested_by = ${user}`
  expect(await server.database.asSystem((tx) => tx.run(commands))).toBe(1)
})

test('§5 guest: a link opens its own doors only', async () => {
  const { door: other } = await wiredDoor(server.ask)
  const guest = guestWith((await invite()).link)
  for (const id of [other, uuidv7()]) {
    await expect(guest.open(id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  }
})

test('§2 requests of a guest are guarded like a write, and a GET opens nothing', async () => {
  const { link, user } = await invite()
  const body = JSON.stringify({ token: tokenOf(link), door })
  const open = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/guest/open`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const fromElsewhere = await open({ 'x-js-account': 'null', origin: 'https://elsewhere.example' })
  expect([fromElsewhere.status, await fromElsewhere.json()]).toMatchObject([403, { error: { code: 'origin_refused' } }])
  expect((await open({})).status).toBe(400)
  expect((await fetch(`${server.url}/api/guest/open`)).status).toBe(404)
  const commands = sql`select from unit_command where unit_command_requested_by = ${user}`
  expect(await server.database.asSystem((tx) => tx.run(commands))).toBe(0)
})

test('§5 guest: links that never were are answered alike, and too many requests are refused', async () => {
  const strange = [makeToken(), makeToken(), 'zebra', ''].map((token) => guestWith(`http://none/guest#${token}`))
  for (const guest of strange) expect(await guest.access()).toEqual(ended)
  expect(await strange[0]?.open(door)).toEqual({ refused: 'adhoc_ended', access: ended })
  const tooMany = { status: 429, code: 'too_many' }
  const guest = guestWith((await invite()).link)
  const presses = await Promise.allSettled(Array.from({ length: 12 }, () => guest.open(door)))
  expect(refusalsIn(presses)[0]).toMatchObject(tooMany)
  expect((await guest.access()).state).toBe('active')
  const guesses = Array.from({ length: 300 }, () => guestWith(`http://none/guest#${makeToken()}`).access())
  expect(refusalsIn(await Promise.allSettled(guesses))[0]).toMatchObject(tooMany)
  guestRequests.of('127.0.0.1').spend(-240)
})

function refusalsIn(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const reasons: unknown[] = []
  for (const result of results) if (result.status === 'rejected') reasons.push(result.reason)
  return reasons
}

test.each([
  ['accessManager', 200],
  ['installer', 403],
  ['accountManager', 403],
  ['reportingUser', 403],
] as const)('§3 a guest is invited by users who manage access control and users: %s %i', async (role, status) => {
  const { ask } = await server.signInAs({ role })
  const body = { name: 'Guest', doors: [door], adhoc: around, by: ['link'] }
  const invited = await ask('POST', '/api/rules/guests', { body })
  expect(invited.status).toBe(status)
  const { rule } = await invite()
  expect((await ask('POST', `/api/rules/${rule}/guest`, { body: { by: 'link' } })).status).toBe(status)
})

test('§2 a door out of scope, and the guest of another account, are not found', async () => {
  const account = await makeItem({ ask: server.ask, collection: 'accounts' })
  const { ask } = await server.signInAs({ role: 'accessManager', account: String(account['ref']) })
  const body = { name: 'Guest', doors: [door], adhoc: around, by: ['link'] }
  for (const doors of [[door], [uuidv7()]]) {
    const refused = await ask('POST', '/api/rules/guests', { body: { ...body, doors } })
    expect([refused.status, refused.json]).toMatchObject([422, { error: { code: 'unknown_reference' } }])
  }
  const { rule } = await invite()
  expect((await ask('POST', `/api/rules/${rule}/guest`, { body: { by: 'link' } })).status).toBe(404)
  const left = sql`select from person where person_name = 'Guest' and person_home = ${await server.keyOf(String(account['ref']))}`
  expect(await server.database.asSystem((tx) => tx.run(left))).toBe(0)
})

test('§5 guest: a preview names the gain and stores nothing', async () => {
  const invitation = {
    name: 'Nomsa Tried',
    doors: [door],
    adhoc: around,
    by: ['link' as const],
    email: 'n@guests.example',
  }
  const { access } = await server.client.rules.previewGuest(invitation)
  expect(access?.gained).toMatchObject({ cardholders: 1, doors: 1 })
  expect((await server.client.of(users).list({ search: 'Nomsa Tried' })).items).toEqual([])
})

test('§5 guest: undone from the last entry on, an invitation leaves nothing behind', async () => {
  const { entries, user, rule, link } = await invite({ by: ['link', 'code'] })
  for (const entry of entries.toReversed()) await server.client.history.undo(entry)
  expect(await guestWith(link).access()).toEqual(ended)
  for (const path of [`/api/users/${user}`, `/api/rules/${rule}`]) {
    expect((await server.ask('GET', path)).status).toBe(404)
  }
})

test('§5 guest: one address receives a few emails an hour', async () => {
  const email = 'flooded@guests.example'
  const { rule } = await invite({ by: ['link'], email })
  const renew = async () =>
    (await server.ask('POST', `/api/rules/${rule}/guest`, { body: { by: 'link', email } })).status
  const statuses = []
  for (let count = 0; count < 5; count += 1) statuses.push(await renew())
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})

test('§5 guest: with an email, the link and the code are sent there', async () => {
  const { user } = await invite({ by: ['link', 'code'], email: 'zoltan@guests.example' })
  const mails = await server.database.asSystem((tx) =>
    tx.cells(sql`select mail_kind, mail_to_address from mail where mail_person = ${user} order by 1`),
  )
  expect(mails).toEqual([
    ['guest_code', 'zoltan@guests.example'],
    ['guest_link', 'zoltan@guests.example'],
  ])
  expect(await server.client.of(users).get(user)).toMatchObject({ email: null, role: 'appUser' })
})
