import { randomUUID } from 'node:crypto'
import { events } from '@portcullis/contract/collections/events'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { arrive, renewLeases } from './gateway/presence.ts'
import { claimInterlock, makeClaimInterlock, noteInterlockState } from './gateway/shared-interlocks.ts'
import { arrival } from './gateway/test-arrival.ts'
import { makeItem } from './collections/test-items.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startOwnServer } from './test-server.ts'
import { startSecondServer } from './test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const second = await startSecondServer(server.databaseUrl)
afterAll(second.stop)
const { ask, database } = server
const patience = { timeout: 60_000 }

const granted = { verdict: 'grant', reason: null }
const denied = (reason: string) => ({ verdict: 'deny', reason })

/** Two doors of an airlock, each at a controller of its own, which one card may open. */
async function airlock() {
  const wired = [await wiredDoor(ask), await wiredDoor(ask)] as const
  const doors = wired.map(({ door }) => door)
  const user = await makeItem({ ask, collection: 'users' })
  const number = randomUUID().slice(0, 13)
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user: user._id } })
  await makeItem({
    ask,
    collection: 'rules',
    fields: { who: [{ kind: 'User', id: user._id }], where: doors.map((id) => ({ kind: 'Door', id })) },
  })
  const group = await makeItem({ ask, collection: 'interlockingGroups', fields: { doors } })
  return { wired, group: group._id, card: { door: 1, kind: 'card', number, direction: 'entry' } as const }
}

/** The controllers of the airlock, connected to two servers, whose doors stay open until they are closed. */
async function started({ wired: [outer, inner] }: Awaited<ReturnType<typeof airlock>>) {
  const pace = { openAfterMs: 1, closeAfterMs: 3_600_000 }
  const controllers = [
    await startUnit(server, { ...outer, pace }),
    await startUnit(server, { ...inner, pace, url: `${second.url.replace('http', 'ws')}/units` }),
  ] as const
  for (const { unit } of [outer, inner]) await inSync({ ask, database }, unit)
  return controllers
}

async function isReportedSecure({ door }: { door: string }) {
  const secure = sql`select from interlock_state where interlock_state_door = ${door} and interlock_state_is_secure`
  return (await database.asSystem((tx) => tx.run(secure))) === 1
}

const isOpen = (controller: VirtualUnit) => controller.state().running?.doors[0]?.position === 'open'
const lockOf = (controller: VirtualUnit) => controller.state().running?.doors[0]?.lock
const present = (controller: VirtualUnit, card: Awaited<ReturnType<typeof airlock>>['card']) => controller.present(card)

test('a door is not released while a door at another controller is open, and is when that one is closed and locked', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  await vi.waitFor(async () => expect(await present(outer, place.card)).toEqual(granted), patience)
  await vi.waitUntil(() => isOpen(outer), patience)
  expect(await present(inner, place.card)).toEqual(denied('interlock'))
  const filter = JSON.stringify({ door: place.wired[1].door, reason: 'interlock' })
  await vi.waitFor(async () => {
    const { items } = await ask('GET', `/api/events?filter=${filter}`)
    expect(items.map((item) => events.entitySchema.parse(item).outcome)).toEqual(['denied'])
  }, patience)

  outer.operateDoor({ door: 1, what: 'closed' })
  await vi.waitFor(async () => expect(await present(inner, place.card)).toEqual(granted), patience)

  // Request to exit releases the lock in spite of the open door, and counts as open for the other.
  outer.operateDoor({ door: 1, what: 'exit' })
  await vi.waitUntil(async () => !(await isReportedSecure(place.wired[0])), patience)
  inner.operateDoor({ door: 1, what: 'closed' })
  expect(await present(inner, place.card)).toEqual(denied('interlock'))
})

test('of two users who present their cards at the same time at both doors, one may pass', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  for (let times = 0; times < 10; times += 1) {
    for (const door of place.wired) await vi.waitUntil(() => isReportedSecure(door), patience)
    const verdicts = await Promise.all([present(outer, place.card), present(inner, place.card)])
    expect(new Set(verdicts.map(({ reason }) => reason))).toEqual(new Set(['interlock', null]))
    for (const controller of [outer, inner]) controller.operateDoor({ door: 1, what: 'closed' })
  }
})

test('a controller that cannot reach the server does not release its door, and its open door counts until it reports it', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  await vi.waitFor(async () => expect(await present(outer, place.card)).toEqual(granted), patience)
  await vi.waitUntil(() => isOpen(outer), patience)
  await outer.setFaults({ offline: true })
  await vi.waitUntil(() => outer.state().running?.isOnline === false, patience)
  outer.operateDoor({ door: 1, what: 'closed' })
  expect(await present(outer, place.card)).toEqual(denied('interlock_unavailable'))
  // The server finds the connection closed a moment later.
  await vi.waitFor(
    async () => expect(await present(inner, place.card)).toEqual(denied('interlock_unavailable')),
    patience,
  )
  await outer.setFaults({ offline: false })
  await vi.waitFor(async () => expect(await present(inner, place.card)).toEqual(granted), patience)
})

test('the mode unlocked waits for the door of the other controller, and keeps that one locked', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  await vi.waitFor(async () => expect(await present(outer, place.card)).toEqual(granted), patience)
  await vi.waitUntil(() => isOpen(outer), patience)
  const hold = { mode: 'unlocked', until: new Date(Date.now() + 3_600_000).toISOString() }
  const { status } = await ask('PUT', `/api/doors/${place.wired[1].door}/mode`, { body: hold })
  expect(status).toBe(200)
  await inSync({ ask, database }, place.wired[1].unit)
  expect(lockOf(inner)).toBe('locked')
  const knownLock = async () => (await server.client.doorInterlocks(place.wired[1].door)).lock
  await expect.poll(knownLock, patience).toBe('locked')

  outer.operateDoor({ door: 1, what: 'closed' })
  await vi.waitUntil(async () => {
    await ask('POST', `/api/units/${place.wired[1].unit}/requestHB`)
    return lockOf(inner) === 'unlocked'
  }, patience)
  await expect.poll(knownLock, patience).toBe('unlocked')
  expect(await present(outer, place.card)).toEqual(denied('interlock'))
})

test('unlock once does not open a door while a door of another controller is open', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  await vi.waitFor(async () => expect(await present(outer, place.card)).toEqual(granted), patience)
  const unlock = async () => {
    const { _id } = await server.client.unlockOnce(place.wired[1].door)
    return vi.waitUntil(async () => {
      const command = await server.client.doorCommand(_id)
      return command.endedAt === null ? undefined : command
    }, patience)
  }
  expect(await unlock()).toMatchObject({ status: 'refused', detail: 'interlock' })
  expect(isOpen(inner)).toBe(false)
  outer.operateDoor({ door: 1, what: 'closed' })
  await vi.waitFor(async () => expect(await unlock()).toMatchObject({ status: 'confirmed' }), patience)
})

test('a door of a controller that does not know the interlock yet counts as unknown, also if it knew it before', async () => {
  const place = await airlock()
  const [outer, inner] = await started(place)
  await vi.waitFor(async () => expect(await present(inner, place.card)).toEqual(granted), patience)
  inner.operateDoor({ door: 1, what: 'closed' })
  const { doors } = (await ask('GET', `/api/interlockingGroups/${place.group}`)).item
  const path = `/api/interlockingGroups/${place.group}`
  expect((await ask('PATCH', path, { body: { doors: [] } })).status).toBe(200)
  for (const { unit } of place.wired) await inSync({ ask, database }, unit)
  await outer.setFaults({ offline: true })
  await vi.waitUntil(() => outer.state().running?.isOnline === false, patience)
  expect(await present(outer, place.card)).toEqual(granted)
  expect((await ask('PATCH', path, { body: { doors } })).status).toBe(200)
  await inSync({ ask, database }, place.wired[1].unit)
  expect(await present(inner, place.card)).toEqual(denied('interlock_unavailable'))
  outer.operateDoor({ door: 1, what: 'closed' })
  await outer.setFaults({ offline: false })
  await vi.waitFor(async () => expect(await present(inner, place.card)).toEqual(granted), patience)
})

/** Frames as the gateway hands them on, of a connection whose hello has this nonce. */
async function connectionOf(unit: string, nonce: string) {
  const state = { nonce, unit }
  await arrive(database, { unit, connection: nonce, holder: unit, ...arrival })
  return {
    claim: (door = 1) => claimInterlock(database, { ...state, door }),
    report: (isSecure: boolean, door = 1) => noteInterlockState(database, { ...state, doors: [{ door, isSecure }] }),
  }
}

test('a door counts as unknown until its controller has reported it, and after it joins an interlock for a second time', async () => {
  const { wired, group } = await airlock()
  const [outer, inner] = [await connectionOf(wired[0].unit, 'a'), await connectionOf(wired[1].unit, 'b')]
  expect(await outer.claim()).toBe('unknown')
  await inner.report(true)
  expect(await outer.claim()).toBe('clear')
  await inner.report(false)
  expect(await outer.claim()).toBe('open')
  await inner.report(true)
  const path = `/api/interlockingGroups/${group}`
  for (const doors of [[wired[0].door], wired.map(({ door }) => door)])
    expect((await ask('PATCH', path, { body: { doors } })).status).toBe(200)
  expect(await outer.claim()).toBe('unknown')
  await inner.report(true)
  expect(await outer.claim()).toBe('clear')
  await inner.report(true)
  const third = await wiredDoor(ask)
  await ask('PATCH', path, { body: { doors: [...wired, third].map(({ door }) => door) } })
  expect(await isReportedSecure(wired[1])).toBe(false)
})

test('what a controller reported of its doors is forgotten when it connects again', async () => {
  const { wired } = await airlock()
  const [outer, inner] = [await connectionOf(wired[0].unit, 'a'), await connectionOf(wired[1].unit, 'b')]
  await inner.report(true)
  expect(await outer.claim()).toBe('clear')
  await connectionOf(wired[1].unit, 'c')
  expect(await outer.claim()).toBe('unknown')
})

test('a controller claims and reports only doors that are wired to it and share an interlock', async () => {
  const { wired, group } = await airlock()
  const [outer, inner] = [await connectionOf(wired[0].unit, 'a'), await connectionOf(wired[1].unit, 'b')]
  await outer.report(true, 2)
  expect(await inner.claim()).toBe('unknown')
  expect(await outer.claim(2)).toBe('unknown')
  await ask('DELETE', `/api/interlockingGroups/${group}`)
  await outer.report(true)
  expect(await isReportedSecure(wired[0])).toBe(false)
})

test('what arrives late from an earlier connection changes nothing', async () => {
  const { wired } = await airlock()
  const [earlier, inner] = [await connectionOf(wired[0].unit, 'a'), await connectionOf(wired[1].unit, 'b')]
  await earlier.report(true)
  await inner.report(true)
  const later = await connectionOf(wired[0].unit, 'c')
  expect(await later.claim()).toBe('clear')
  await earlier.report(true)
  expect(await earlier.claim()).toBe('unknown')
  expect(await inner.claim()).toBe('open')
  await later.report(true)
  expect(await inner.claim()).toBe('clear')
})

/** Keeps what units have reported of the doors locked, as a change of their interlock does, until it is let go. */
async function locked(doors: readonly string[]) {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => over.resolve())
  const change = database.asSystem(async (tx) => {
    await tx.run(sql`delete from interlock_state where interlock_state_door = any(${[...doors]}::uuid[])`)
    begun.resolve()
    await over.promise
  })
  await begun.promise
  return async () => {
    over.resolve()
    await change
  }
}

test('renewing leases does not wait for a report, which waits for a change of the interlock', async () => {
  const { wired } = await airlock()
  const { unit, door } = wired[0]
  const { report } = await connectionOf(unit, 'a')
  await report(true)
  const letGo = await locked([door])
  const withoutLimit: Pick<typeof database, 'asSystem'> = {
    asSystem: (work) => database.asSystem((tx) => work({ ...tx, send: () => {} })),
  }
  const reported = noteInterlockState(withoutLimit, { unit, nonce: 'a', doors: [{ door: 1, isSecure: false }] })
  const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await vi.waitUntil(async () => (await database.asSystem((tx) => tx.run(waits))) > 0, patience)
  expect(await renewLeases(database, { holder: unit, units: [unit] })).toEqual(new Set([unit]))
  await letGo()
  await reported
})

test('while an interlock is being changed, a report of its doors soon fails, and a question has no answer', async () => {
  const { wired } = await airlock()
  const [outer, inner] = [await connectionOf(wired[0].unit, 'a'), await connectionOf(wired[1].unit, 'b')]
  for (const { report } of [outer, inner]) await report(true)
  const letGo = await locked([wired[0].door])
  await expect(outer.report(false)).rejects.toThrow('lock timeout')
  expect(await outer.claim()).toBeUndefined()
  await letGo()
  expect(await outer.claim()).toBe('clear')
})

test('two doors held unlocked in two interlocks do not stay so together once these interlocks are joined', async () => {
  const [one, other] = [await airlock(), await airlock()]
  const holdingOne = await startUnit(server, one.wired[0])
  const holdingOther = await startUnit(server, other.wired[0])
  for (const beside of [one.wired[1], other.wired[1]]) await startUnit(server, beside)
  const all = [...one.wired, ...other.wired]
  for (const wired of all) {
    await inSync({ ask, database }, wired.unit)
    await vi.waitUntil(() => isReportedSecure(wired), patience)
  }
  const body = { mode: 'unlocked', until: new Date(Date.now() + 3_600_000).toISOString() }
  for (const { wired } of [one, other]) await ask('PUT', `/api/doors/${wired[0].door}/mode`, { body })
  await vi.waitUntil(() => lockOf(holdingOne) === 'unlocked' && lockOf(holdingOther) === 'unlocked', patience)
  const doors = [one.wired[0], one.wired[1], other.wired[0]].map(({ door }) => door)
  expect((await ask('PATCH', `/api/interlockingGroups/${one.group}`, { body: { doors } })).status).toBe(200)
  await vi.waitFor(async () => {
    for (const { unit } of all) await ask('POST', `/api/units/${unit}/requestHB`)
    expect(new Set([lockOf(holdingOne), lockOf(holdingOther)])).toEqual(new Set(['locked', 'unlocked']))
  }, patience)
})

/** Claims of doors that do not exist: how many are examined at the same time, and in all. Each waits until it is let on. */
function countedClaims(now?: () => number) {
  const examined = { now: 0, most: 0, inAll: 0 }
  const waiting: (() => void)[] = []
  const counting: Pick<typeof database, 'asSystem'> = {
    async asSystem(work) {
      examined.now += 1
      examined.inAll += 1
      examined.most = Math.max(examined.most, examined.now)
      await new Promise<void>((letOn) => waiting.push(letOn))
      return database.asSystem(work).finally(() => (examined.now -= 1))
    },
  }
  const claim = makeClaimInterlock(counting, now)
  return {
    examined,
    claim: (root: number) => claim({ root, unit: randomUUID(), nonce: 'a', door: 1 }),
    async letAllOn(claims: readonly Promise<unknown>[]) {
      let areOver = false
      const over = Promise.all(claims).finally(() => (areOver = true))
      await vi.waitUntil(() => {
        for (const letOn of waiting.splice(0)) letOn()
        return areOver
      }, patience)
      return over
    },
  }
}

test('at most two claims of one account tree hold connections to the database, and those of others do not wait', async () => {
  const { examined, claim, letAllOn } = countedClaims()
  const claims = [1, 1, 1, 1, 1, 1].map(claim)
  expect(examined.now).toBe(2)
  claims.push(claim(2))
  expect(examined.now).toBe(3)
  expect(await letAllOn(claims)).toEqual(Array(7).fill('unknown'))
  expect(examined).toEqual({ now: 0, most: 3, inAll: 7 })
})

test('a claim that waits for as long as its controller is not examined', async () => {
  let at = 0
  const { examined, claim, letAllOn } = countedClaims(() => at)
  const claims = [1, 1, 1, 1].map(claim)
  at = 2_000
  claims.push(claim(1))
  expect(await letAllOn(claims)).toEqual(['unknown', 'unknown', undefined, undefined, 'unknown'])
  expect(examined.inAll).toBe(3)
})

test('the interlocks of a door show which of their doors are secure, open or not reported, and why', async () => {
  const { wired, group } = await airlock()
  const known = async () => {
    const { interlocks } = await server.client.doorInterlocks(wired[0].door)
    const states = interlocks.flatMap(({ doors }) => doors).filter(({ _id }) => _id === wired[1].door)
    return states.map(({ state, fault }) => (fault === null ? state : `${state}: ${fault}`))
  }
  expect(await known()).toEqual(['unknown: offline'])
  const inner = await connectionOf(wired[1].unit, 'b')
  await setState(wired[1].unit, sql`unit_state_desired_version = 2, unit_state_applied_version = 1`)
  expect(await known()).toEqual(['unknown: out_of_sync'])
  await setState(wired[1].unit, sql`unit_state_left_out = ${JSON.stringify({ doors: [wired[1].door] })}::jsonb`)
  expect(await known()).toEqual(['unknown: no_room'])
  await inner.report(true)
  expect(await known()).toEqual(['secure'])
  await inner.report(false)
  expect(await known()).toEqual(['open'])
  await setState(wired[1].unit, sql`unit_state_status = 'offline'`)
  expect(await known()).toEqual(['unknown: offline'])
  expect((await server.client.doorInterlocks(wired[1].door)).interlocks).toMatchObject([{ _id: group, isShared: true }])
})

test('a door that is held unlocked is locked while another door of its controller is open', async () => {
  const outer = await wiredDoor(ask)
  const fields = { unit: outer.unit, unitDoor: 2 }
  const inner = await makeItem({ ask, collection: 'doors', fields })
  await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [outer.door, inner._id] } })
  await setState(outer.unit, sql`unit_state_status = 'online'`)
  const known = () => server.client.doorInterlocks(outer.door)
  expect(await known()).toMatchObject({ lock: 'unknown', interlocks: [{ isShared: false }] })
  await setDoorState(inner._id, 'open')
  expect((await known()).lock).toBe('locked')
  await setDoorState(inner._id, 'closed')
  const { lock, interlocks } = await known()
  expect(lock).toBe('unknown')
  expect(new Set(interlocks[0]?.doors.map(({ state }) => state))).toEqual(new Set(['unknown', 'closed']))
})

const setState = (unit: string, set: Sql) =>
  database.asSystem((tx) => tx.run(sql`update unit_state set ${set} where unit_state_id = ${unit}`))
const setDoorState = (door: string, state: string) =>
  database.asSystem((tx) =>
    tx.run(sql`update door_state set door_state_state = ${state} where door_state_id = ${door}`),
  )
