import type { Presented } from '@portcullis/controllers/unit-access'
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startOwnServer } from './test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { ask } = server

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })
const newPin = () => `${randomInt(10_000_000, 99_999_999)}`

/** A user with a card, in a group. */
async function cardholder(fields: { groups?: string[] } = {}) {
  const user = await makeItem({ ask, collection: 'users', fields })
  const number = randomUUID().slice(0, 13)
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user: user._id } })
  return {
    user: user._id,
    name: String(user['name']),
    card: { door: 1, kind: 'card', number, direction: 'entry' } as const,
  }
}

type Cardholder = Awaited<ReturnType<typeof cardholder>>

/** A door on a connected controller that these users may open, with these settings applied. */
async function doorFor(
  users: Cardholder[],
  { fields = {}, secondPersonMs }: { fields?: object; secondPersonMs?: number } = {},
) {
  const wired = await wiredDoor(ask, { relockAfterSeconds: 60, ...fields })
  await makeItem({
    ask,
    collection: 'rules',
    fields: {
      who: users.map(({ user }) => ({ kind: 'User', id: user })),
      where: [{ kind: 'Door', id: wired.door }],
    },
  })
  const unit = await startUnit(server, { ...wired, ...(secondPersonMs === undefined ? {} : { secondPersonMs }) })
  const at = { ...wired, controller: unit }
  await inSync(server, at.unit)
  return at
}

/** Makes a change that the controller has to know, and waits until it does. */
async function applied<T>({ unit }: { unit: string }, change: () => Promise<T>) {
  const changed = await change()
  await inSync(server, unit)
  return changed
}

/** The access events of a door, in order, as the server explains them. */
async function eventsAt(door: string, count: number) {
  return soon(async () => {
    const { items } = await ask('GET', `/api/events?filter=${JSON.stringify({ door, category: 'access' })}`)
    expect(items.length).toBeGreaterThanOrEqual(count)
    return items
      .toReversed()
      .map(({ outcome, reason, severity, user, data }) => ({ outcome, reason, severity, user, data }))
  })
}

test('anti-passback denies a second entry until the user leaves, or is forgiven; a power cut changes nothing', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const door = await doorFor([ann, ben], { fields: { directions: { entry: true, exit: true } } })
  const group = await applied(door, () =>
    makeItem({
      ask,
      collection: 'doorGroups',
      fields: { members: [door.door], antiPassback: { kind: 'hard', minutes: 1 } },
    }),
  )
  const { controller } = door
  const present = (who: Cardholder, direction: 'entry' | 'exit') => controller.present({ ...who.card, direction })
  const passAndClose = async (who: Cardholder, direction: 'entry' | 'exit') => {
    expect(await present(who, direction)).toEqual({ verdict: 'grant', reason: null })
    await passed(door.door)
  }

  await passAndClose(ann, 'entry')
  await controller.powerCut()
  expect(await present(ann, 'entry')).toEqual({ verdict: 'deny', reason: 'antipassback' })
  await passAndClose(ben, 'entry')
  await passAndClose(ann, 'exit')
  await passAndClose(ann, 'entry')

  const answer = await applied(door, () =>
    ask('POST', `/api/doorGroups/${group._id}/forgive`, { body: { user: ann.user } }),
  )
  expect(answer.status).toBe(200)
  await passAndClose(ann, 'entry')
  expect(await present(ben, 'entry')).toEqual({ verdict: 'deny', reason: 'antipassback' })
  const refused = (await eventsAt(door.door, 7)).filter(({ outcome }) => outcome === 'denied')
  expect(refused).toMatchObject([
    { reason: 'antipassback', user: ann.user },
    { reason: 'antipassback', user: ben.user },
  ])
})

test('soft anti-passback grants a second entry and reports it as a warning', async () => {
  const ann = await cardholder()
  const door = await doorFor([ann])
  await applied(door, () =>
    makeItem({
      ask,
      collection: 'doorGroups',
      fields: { members: [door.door], antiPassback: { kind: 'soft', minutes: 1 } },
    }),
  )
  for (let times = 0; times < 2; times += 1) {
    expect(await door.controller.present(ann.card)).toEqual({ verdict: 'grant', reason: null })
    await passed(door.door)
  }
  expect(await eventsAt(door.door, 2)).toMatchObject([
    { outcome: 'granted', severity: 'info' },
    { outcome: 'granted', severity: 'warning', data: { note: { code: 'antipassback_tolerated' } } },
  ])
})

test('an interlock keeps a door closed while the other is open, also for a command', async () => {
  const ann = await cardholder()
  const door = await doorFor([ann])
  const inner = await applied(door, () =>
    makeItem({ ask, collection: 'doors', fields: { unit: door.unit, unitDoor: 2 } }),
  )
  await applied(door, () =>
    makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [door.door, inner._id] } }),
  )
  door.controller.operateDoor({ door: 2, what: 'held' })
  expect(await door.controller.present(ann.card)).toEqual({ verdict: 'deny', reason: 'interlock' })
  const command = await server.client.unlockOnce(door.door)
  await soon(async () =>
    expect(await server.client.doorCommand(command._id)).toMatchObject({ status: 'refused', detail: 'interlock' }),
  )
  door.controller.operateDoor({ door: 2, what: 'closed' })
  expect(await door.controller.present(ann.card)).toEqual({ verdict: 'grant', reason: null })
  expect(await eventsAt(door.door, 2)).toMatchObject([{ reason: 'interlock' }, { outcome: 'granted' }])
})

test('no other user enters before the first person of the day', async () => {
  const managers = await makeItem({ ask, collection: 'userGroups' })
  const [ann, boss] = [await cardholder(), await cardholder({ groups: [managers._id] })]
  const door = await doorFor([ann, boss], { fields: { firstPersonGroup: managers._id } })
  expect(await door.controller.present(ann.card)).toEqual({ verdict: 'deny', reason: 'first_person_absent' })
  expect(await door.controller.present(boss.card)).toEqual({ verdict: 'grant', reason: null })
  await passed(door.door)
  expect(await door.controller.present(ann.card)).toEqual({ verdict: 'grant', reason: null })
  expect(await eventsAt(door.door, 3)).toMatchObject([
    { reason: 'first_person_absent', user: ann.user },
    { outcome: 'granted', user: boss.user },
    { outcome: 'granted', user: ann.user },
  ])
  const deletion = await ask('DELETE', `/api/userGroups/${managers._id}`)
  expect(deletion.status).toBe(422)
})

test('a door for two persons opens for two users with access, and for no other two cards', async () => {
  const [ann, ben, eve] = [await cardholder(), await cardholder(), await cardholder()]
  const door = await doorFor([ann, ben], { fields: { requiresTwoPersons: true }, secondPersonMs: 300 })
  const { controller } = door
  expect(await controller.present(ann.card)).toEqual({ verdict: 'deny', reason: 'second_person_absent' })
  const waiting = controller.present(ann.card)
  expect(await controller.present(eve.card)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  expect(await controller.present(ben.card)).toEqual({ verdict: 'grant', reason: null })
  expect(await waiting).toEqual({ verdict: 'grant', reason: null })
  expect(await eventsAt(door.door, 4)).toMatchObject([
    { reason: 'second_person_absent', user: ann.user },
    { reason: 'no_access', user: eve.user },
    { outcome: 'granted' },
    { outcome: 'granted' },
  ])
})

test('a PIN is asked after the card, locks after five wrong ones, and is shown and stored nowhere', async () => {
  const ann = await cardholder()
  const pin = newPin()
  const made = await ask('POST', '/api/credentials', { body: { kind: 'pin', number: pin, user: ann.user } })
  expect([made.status, made.item['number']]).toEqual([201, '••••'])
  const door = await doorFor([ann], { fields: { requiresPin: true } })
  const enter = (entered?: string) => door.controller.present({ ...ann.card, ...(entered ? { pin: entered } : {}) })
  expect(await enter()).toEqual({ verdict: 'deny', reason: 'pin_required' })
  expect(await enter(pin)).toEqual({ verdict: 'grant', reason: null })
  for (let times = 0; times < 5; times += 1) {
    expect(await enter(newPin())).toEqual({ verdict: 'deny', reason: 'pin_invalid' })
  }
  await door.controller.powerCut()
  expect(await enter(pin)).toEqual({ verdict: 'deny', reason: 'pin_locked' })
  const events = await eventsAt(door.door, 8)
  expect(events.map(({ reason }) => reason)).toEqual([
    'pin_required',
    null,
    ...Array.from({ length: 5 }, () => 'pin_invalid'),
    'pin_locked',
  ])
  expect(JSON.stringify(events)).not.toContain(pin)
})

test('a PIN alone opens where it is accepted, and a duress PIN raises an alarm', async () => {
  const ann = await cardholder()
  const [pin, duress] = [newPin(), newPin()]
  for (const [number, isDuress] of [
    [pin, false],
    [duress, true],
  ]) {
    await makeItem({
      ask,
      collection: 'credentials',
      fields: { kind: 'pin', number, duress: isDuress, user: ann.user },
    })
  }
  const door = await doorFor([ann], { fields: { acceptsPinAlone: true } })
  const enter = (entered: string) => {
    const presented: Presented = { door: 1, kind: 'pin', pin: entered, direction: 'entry' }
    return door.controller.present(presented)
  }
  expect(await enter(pin)).toEqual({ verdict: 'grant', reason: null })
  expect(await enter(newPin())).toEqual({ verdict: 'deny', reason: 'pin_invalid' })
  expect(await enter(duress)).toEqual({ verdict: 'grant', reason: null })
  expect(await eventsAt(door.door, 3)).toMatchObject([
    { outcome: 'granted', user: ann.user, severity: 'info', data: { kind: 'pin', names: { user: ann.name } } },
    { outcome: 'denied', reason: 'pin_invalid', user: null },
    { outcome: 'granted', user: ann.user, severity: 'alarm', data: { note: { code: 'duress' } } },
  ])
})

test('a duress PIN raises an alarm also where the door then stays closed', async () => {
  const ann = await cardholder()
  const duress = newPin()
  await makeItem({
    ask,
    collection: 'credentials',
    fields: { kind: 'pin', number: duress, duress: true, user: ann.user },
  })
  const fields = { requiresPin: true, requiresTwoPersons: true }
  const door = await doorFor([ann], { fields, secondPersonMs: 50 })
  const verdict = await door.controller.present({ ...ann.card, pin: duress })
  expect(verdict).toEqual({ verdict: 'deny', reason: 'second_person_absent' })
  expect(await eventsAt(door.door, 2)).toMatchObject([
    { outcome: 'denied', reason: 'second_person_required', severity: 'alarm', data: { note: { code: 'duress' } } },
    { outcome: 'denied', reason: 'second_person_absent', severity: 'notice' },
  ])
})

test('wrong PINs count although the user may not pass elsewhere, or another user enters a right one', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const [annsPin, bensPin] = [newPin(), newPin()]
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'pin', number: annsPin, user: ann.user } })
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'pin', number: bensPin, user: ben.user } })
  const door = await doorFor([ann, ben], { fields: { requiresPin: true, acceptsPinAlone: true } })
  const { controller } = door
  await applied(door, () =>
    makeItem({ ask, collection: 'doors', fields: { unit: door.unit, unitDoor: 2, requiresPin: true } }),
  )
  const elsewhere = { ...ann.card, door: 2, pin: newPin() }
  for (let times = 0; times < 4; times += 1) await controller.present({ ...ann.card, pin: newPin() })
  expect(await controller.present(elsewhere)).toEqual({ verdict: 'deny', reason: 'no_access' })
  expect(await controller.present({ ...ann.card, pin: newPin() })).toMatchObject({ reason: 'pin_invalid' })
  expect(await controller.present({ ...ann.card, pin: annsPin })).toMatchObject({ reason: 'pin_locked' })

  const alone = (pin: string) => controller.present({ door: 1, kind: 'pin', pin, direction: 'entry' })
  for (let times = 0; times < 4; times += 1) expect(await alone(newPin())).toMatchObject({ reason: 'pin_invalid' })
  expect(await alone(bensPin)).toMatchObject({ verdict: 'grant' })
  expect(await alone(newPin())).toMatchObject({ reason: 'pin_invalid' })
  expect(await alone(bensPin)).toMatchObject({ reason: 'pin_locked' })
})

test('a PIN that another user has is refused without naming them, and the explorer finds no PIN', async () => {
  const ann = await cardholder()
  const pin = newPin()
  const fields = { kind: 'pin', number: pin, user: ann.user }
  await makeItem({ ask, collection: 'credentials', fields })
  const taken = await ask('POST', '/api/credentials', { body: { kind: 'pin', number: pin } })
  expect(taken.status).toBe(409)
  expect(JSON.stringify(taken.json)).not.toContain(ann.name)
  const card = await ask('POST', '/api/credentials', { body: { kind: 'card', number: pin } })
  expect(card.status).toBe(201)
  for (const number of ['12', 'abcd', '123456789']) {
    const { status, error } = await ask('POST', '/api/credentials', { body: { kind: 'pin', number } })
    expect([status, Object.keys(error.fields ?? {})]).toEqual([400, ['number']])
  }
  const { items } = await ask('GET', `/api/credentials?search=${pin}`)
  expect(items.map(({ kind }) => kind)).toEqual(['card'])
})

/** Waits until the server knows that the door has opened and closed as often as it was opened. */
async function passed(door: string) {
  await soon(async () => {
    const { items } = await ask('GET', `/api/events?filter=${JSON.stringify({ door })}`)
    const count = (type: string) => items.filter((event) => event['type'] === type).length
    expect(count('door.closed')).toBe(count('access.granted'))
  })
}
