import { randomInt, randomUUID } from 'node:crypto'
import { decideAccess } from '@portcullis/contract/calls/explorer'
import { events } from '@portcullis/contract/collections/events'
import { highestDoorNumber } from '@portcullis/contract/unit-capacity'
import type { Presented, Verdict } from '@portcullis/controllers/unit-access'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import sql from 'sql-template-tag'
import { afterAll, expect, test, vi } from 'vitest'
import { makeItem, type Written } from './collections/test-items.ts'
import { inSync, startUnit, stateOf } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { database } = server

type Fields = Record<string, unknown>

/** A door of the controller, a user with a card, and the rule that names both. */
type Row = {
  door?: Fields
  user?: Fields
  card?: Fields
  rule?: Fields
  /** The user's PIN. */
  pin?: { duress: boolean }
  /** Other items that the reason needs. */
  also?: (place: Place) => Promise<unknown>
  /** The number that the reader reads; absent: that of the card. */
  read?: string
  /** Absent: the user presents the card. Resolves to the last decision. */
  meet?: (place: Place) => Promise<Verdict>
  /** After the decision, before the event is expected. */
  afterwards?: () => Promise<void>
  /** The reason of the controller, where it is another one; null: it grants. */
  onUnit?: ReasonCode | null
}

type Place = {
  door: string
  user: string
  rule: string
  who: Fields[]
  where: Fields[]
  card: Extract<Presented, { number: string }>
  pin: string
}

const patience = { timeout: 60_000 }
const soon = <T>(check: () => Promise<T>) => vi.waitFor(check, patience)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const newPin = () => `${randomInt(10_000_000, 99_999_999)}`

const recertifyEveryDays = 2
const account = await makeItem({ ask: server.ask, collection: 'accounts', fields: { recertifyEveryDays } })
const ask = server.in(String(account['ref']))
const make = async (collection: Written, fields: Fields = {}) => (await makeItem({ ask, collection, fields }))._id

const site = await make('sites')
const siteOnHoliday = await make('sites', { calendars: ['Today'] })
const holidayDates = { from: daysAgo(1).slice(0, 10), until: daysAgo(-1).slice(0, 10), recurring: false }
await make('holidays', { calendar: 'Today', dates: [holidayDates] })
const closed = await make('schedules')
const daily = await make('schedules', { windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }] })
const unit = await makeItem({ ask, collection: 'units' })

const unknown = { onUnit: 'credential_unknown' } as const
const pinDoor = { requiresPin: true }
const approvalDoor = { requiresRemoteAuth: true }
let doorCount = 0

/** In this order: the last one leaves the controller out of sync. */
const rows: Record<ReasonCode, Row> = {
  door_disabled: { door: { enabled: false } },
  door_locked_down: { also: ({ door }) => setMode(door, 'lockdown') },
  door_blocked: { also: ({ door }) => setMode(door, 'blocked') },
  credential_unknown: { read: 'unused' },
  card_required: { pin: { duress: false }, meet: enterPinAlone },
  credential_unassigned: { card: { user: null }, ...unknown },
  credential_suspended: { card: { status: 'suspended' }, ...unknown },
  credential_lost: { card: { status: 'lost' }, ...unknown },
  credential_stolen: { card: { status: 'stolen' }, ...unknown },
  credential_revoked: { card: { status: 'revoked' }, ...unknown },
  not_yet_valid: { card: { validFrom: daysAgo(-1) } },
  expired: { card: { validUntil: daysAgo(1) } },
  holder_inactive: { user: { status: 'suspended' }, ...unknown },
  recertification_overdue: { also: ({ user }) => recertifiedAt(user, daysAgo(recertifyEveryDays + 1)) },
  denied_by_rule: { also: ({ who, where }) => make('rules', { effect: 'deny', who, where }) },
  no_access: { door: { directions: { entry: true, exit: true } }, rule: { direction: 'exit' } },
  outside_schedule: { rule: { schedule: closed } },
  holiday_closed: { door: { site: siteOnHoliday }, rule: { schedule: daily } },
  adhoc_not_started: { rule: { adhoc: { from: daysAgo(-1), until: daysAgo(-2) } } },
  adhoc_ended: { rule: { adhoc: { from: daysAgo(2), until: daysAgo(1) } } },
  interlock: {
    also: async ({ door }) => make('interlockingGroups', { doors: [door, (await makeDoor())._id] }),
    meet: ({ card }) => {
      controller.operateDoor({ door: card.door + 1, what: 'held' })
      return controller.present(card)
    },
  },
  interlock_unavailable: {
    also: async ({ door }) => make('interlockingGroups', { doors: [door, await doorOfOtherUnit()] }),
    meet: ({ card }) => offline(() => controller.present(card)),
  },
  antipassback: {
    also: ({ door }) => make('doorGroups', { members: [door], antiPassback: { kind: 'hard', minutes: 1 } }),
    meet: async ({ card }) => {
      expect(await controller.present(card)).toMatchObject({ verdict: 'grant' })
      return controller.present(card)
    },
  },
  first_person_absent: { door: { firstPersonGroup: await make('userGroups') } },
  pin_required: { door: pinDoor },
  pin_invalid: { door: pinDoor, meet: ({ card }) => controller.present({ ...card, pin: newPin() }) },
  pin_locked: {
    door: pinDoor,
    pin: { duress: false },
    meet: async ({ card, pin }) => {
      for (let times = 0; times < 5; times += 1) await controller.present({ ...card, pin: newPin() })
      return controller.present({ ...card, pin })
    },
  },
  // A duress PIN is reported before its user waits.
  second_person_required: {
    door: { acceptsPinAlone: true, requiresTwoPersons: true },
    pin: { duress: true },
    meet: enterPinAlone,
    onUnit: 'second_person_absent',
  },
  second_person_absent: { door: { requiresTwoPersons: true } },
  remote_approval_required: {
    door: { ...approvalDoor, acceptsPinAlone: true },
    pin: { duress: true },
    meet: (place) => denied(place.door, enterPinAlone(place)),
    onUnit: 'remote_denied',
  },
  remote_denied: { door: approvalDoor, meet: ({ door, card }) => denied(door, controller.present(card)) },
  remote_timeout: {
    door: approvalDoor,
    meet: async ({ door, card }) => {
      const verdict = controller.present(card)
      const task = await requestAt(door)
      await database.asSystem((tx) => tx.run(sql`update task set task_expires_at = now() where task_id = ${task}`))
      return verdict
    },
  },
  remote_unavailable: {
    door: approvalDoor,
    meet: ({ card }) => offline(() => controller.present(card)),
  },
  // The controller has no room for the door with the highest number.
  door_unknown: { door: { unitDoor: highestDoorNumber } },
  unit_out_of_service: {
    // The server takes the events of a disabled controller when it is enabled again.
    afterwards: () => setInService(true),
    meet: async ({ card }) => {
      await setInService(false)
      return controller.present(card)
    },
  },
  unit_out_of_step: {
    meet: async ({ card, rule }) => {
      await controller.setFaults({ memory: 'stuck' })
      await change(`/api/rules/${rule}`, { schedule: closed })
      await soon(async () => {
        const state = await stateOf(ask, unit._id)
        expect(state.desiredVersion).not.toBe(state.appliedVersion)
      })
      return controller.present(card)
    },
    onUnit: null,
  },
}

type Instead = { reason: ReasonCode | null; because: string }

/** What the explorer, which asks about a card with no door in front of it, says instead. */
const explored = new Map<string, Instead>(
  Object.entries({
    card_required: { reason: null, because: 'it assumes the card' },
    interlock: { reason: null, because: 'it does not know which doors are open' },
    interlock_unavailable: { reason: null, because: 'it does not ask a controller' },
    antipassback: { reason: null, because: 'it does not know where the user is' },
    first_person_absent: { reason: null, because: 'it does not know who has entered' },
    pin_invalid: { reason: 'pin_required', because: 'it is given no PIN' },
    pin_locked: { reason: 'pin_required', because: 'it is given no PIN' },
    second_person_absent: { reason: 'second_person_required', because: 'it does not wait' },
    remote_denied: { reason: 'remote_approval_required', because: 'it asks no operator' },
    remote_timeout: { reason: 'remote_approval_required', because: 'it asks no operator' },
    remote_unavailable: { reason: 'remote_approval_required', because: 'it asks no operator' },
    unit_out_of_step: { reason: 'outside_schedule', because: 'it decides by the current policy' },
  } satisfies Partial<Record<ReasonCode, Instead>>),
)

const cases: (Row & { code: string; place: Place })[] = []
for (const [code, row] of Object.entries(rows)) cases.push({ ...row, code, place: await placeOf(row) })
const controller = await startUnit(
  { url: server.url, ask },
  {
    unit: unit._id,
    serial: String(unit['serial']),
    secondPersonMs: 50,
    faults: { maxDoors: doorCount - 1 },
    whenDone: afterAll,
  },
)
await inSync({ ask, database }, unit._id)

test.each(cases)('§3 the controller, its event and the explorer give the reason $code', async (row) => {
  const { code, place, onUnit = code, meet = ({ card }) => controller.present(card), afterwards } = row
  const verdict = await meet(place)
  expect(verdict).toEqual({ verdict: onUnit === null ? 'grant' : 'deny', reason: onUnit })

  const body = { door: place.door, number: place.card.number }
  const answer = decideAccess.output.parse((await ask('POST', '/api/explorer/decide', { body })).json)
  const { reason, because } = explored.get(code) ?? { reason: code, because: 'it decides as the controller does' }
  expect(answer.reason, because).toBe(reason)

  await afterwards?.()
  const event = await soon(async () => {
    const { items } = await ask('GET', `/api/events?filter=${JSON.stringify({ door: place.door, reason: code })}`)
    expect(items).toHaveLength(1)
    return events.entitySchema.parse(items[0])
  })
  const outcome = verdict.verdict === 'grant' ? 'granted' : 'denied'
  expect(event).toMatchObject({ outcome, user: answer.person?._id ?? null })
})

async function makeDoor(fields: Fields = {}) {
  doorCount += 1
  return makeItem({ ask, collection: 'doors', fields: { site, unit: unit._id, unitDoor: doorCount, ...fields } })
}

async function doorOfOtherUnit() {
  return make('doors', { site, unit: await make('units'), unitDoor: 1 })
}

async function offline(present: () => Promise<Verdict>) {
  await controller.setFaults({ offline: true })
  await vi.waitUntil(() => controller.state().running?.isOnline === false, patience)
  const verdict = await present()
  await controller.setFaults({ offline: false })
  return verdict
}

async function placeOf(row: Row): Promise<Place> {
  const door = await makeDoor(row.door)
  const user = await make('users', { validFrom: daysAgo(1), ...row.user })
  const [number, pin] = [randomUUID().slice(0, 13), newPin()]
  await make('credentials', { kind: 'card', number, user, ...row.card })
  if (row.pin) await make('credentials', { kind: 'pin', number: pin, user, ...row.pin })
  const [who, where] = [[{ kind: 'User', id: user }], [{ kind: 'Door', id: door._id }]]
  const rule = await make('rules', { who, where, ...row.rule })
  const card = { door: Number(door['unitDoor']), direction: 'entry', kind: 'card', number: row.read ?? number } as const
  const place = { door: door._id, user, rule, who, where, card, pin }
  await row.also?.(place)
  return place
}

function enterPinAlone({ card: { door, direction }, pin }: Place) {
  return controller.present({ door, direction, kind: 'pin', pin })
}

function recertifiedAt(user: string, at: string) {
  return database.asSystem((tx) =>
    tx.run(sql`update membership set membership_last_recertified_at = ${at} where membership_user = ${user}`),
  )
}

async function change(path: string, body: Fields) {
  expect((await ask('PATCH', path, { body })).status).toBe(200)
}

async function setInService(inService: boolean) {
  await change(`/api/units/${unit._id}`, { inService })
  await inSync({ ask, database }, unit._id)
}

async function setMode(door: string, mode: string) {
  expect((await ask('PUT', `/api/doors/${door}/mode`, { body: { mode } })).status).toBe(200)
}

/** The id of the open request of a user who waits at the door. */
function requestAt(door: string) {
  return soon(async () => {
    const { items } = await ask('GET', `/api/tasks?filter=${JSON.stringify({ door })}`)
    expect(items).toMatchObject([{ status: 'Requested' }])
    return String(items[0]?._id)
  })
}

/** An operator denies the request of the user who waits. */
async function denied(door: string, verdict: Promise<Verdict>) {
  await ask('POST', `/api/tasks/${await requestAt(door)}/actionRemoteAuth`, { body: { grant: false } })
  return verdict
}
