import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { UnitConfig, UnitDoor } from '@portcullis/domain/configuration/unit-config'
import { pinNumber } from '@portcullis/domain/decision/presented-credential'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Approvals } from './approvals.ts'
import { credentialKey } from './credential-key.ts'
import { secret, unitId } from './scripted-server.ts'
import { config as single, door, holder, rule } from './test-configuration.ts'
import { type Presented, UnitAccess } from './unit-access.ts'
import { UnitDoors } from './unit-doors.ts'
import { UnitMemoryFile } from './unit-memory.ts'
import { UnitStore } from './unit-store.ts'

const ann = '01890000-0000-7000-8000-0000000000aa'
const area = '01890000-0000-7000-8000-0000000000b1'
const anns = { holder, validFrom: null, validUntil: null }
const bens = { ...anns, holder: 'ben' }
const key = (number: string) => credentialKey(secret, number)
const passing = { 1: { allow: [rule], deny: [] }, 2: { allow: [rule], deny: [] } }
const first = { 1: { allow: [], deny: [], first: true } }
const annsHolder = single.holders[holder]
if (!annsHolder) throw new Error('The configuration has no holder.')

const pins = {
  [key(pinNumber('2580', ann))]: { ...anns, _id: 'pin', kind: 'pin' },
  [key(pinNumber('2589', ann))]: { ...anns, _id: 'duress', kind: 'pin', duress: true },
  [key(pinNumber('2589'))]: { ...anns, _id: 'duress', kind: 'pin', duress: true },
} as const
const base: UnitConfig = {
  ...single,
  access: { first: { doors: first }, team: { doors: passing } },
  holders: {
    [holder]: { ...annsHolder, access: ['team'] },
    ben: { ...annsHolder, user: 'ben', access: ['first', 'team'] },
  },
  credentials: { ...single.credentials, [key('4712')]: { ...bens, _id: 'bens card' }, ...pins },
}

/** Doors 1 and 2 with these settings. */
function withDoors(fields: Partial<UnitDoor>, more: Partial<UnitConfig> = {}): UnitConfig {
  return { ...base, doors: { 1: { ...door, ...fields }, 2: { ...door, _id: 'inner', ...fields } }, ...more }
}

const hardArea = { areas: { [area]: { kind: 'hard', minutes: 1, forgivenAllAt: null, forgivenAt: {} } } } as const
const inArea = withDoors({ areas: [area] }, hardArea)

let dir: string
let store: UnitStore
let memory: UnitMemoryFile
let doors: UnitDoors
let access: UnitAccess
const approvals = new Approvals()
const records: { reason: string | null; duress?: boolean | undefined; passed?: boolean | undefined }[] = []
const sent: UnitFrame[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  records.length = 0
  sent.length = 0
  dir = await mkdtemp(join(tmpdir(), 'unit-access-'))
  store = await UnitStore.open({ dir, serial: 'PC-1' })
  store.identity = { ...store.identity, enrolled: { unit: unitId, name: 'Unit', serverKey: '', secret } }
  memory = await UnitMemoryFile.open({ dir, report: () => {} })
  const now = () => Date.now()
  doors = new UnitDoors({
    pace: { openAfterMs: 1_000, closeAfterMs: 3_000 },
    leaves: new Map(),
    store,
    now,
    isOnline: () => true,
    send: (frame) => sent.push(frame),
    onSchedule: () => {},
    onChange: (number, what) => {
      if (what === 'opened' && store.applied) memory.opened(number, { config: store.applied.config, at: now() })
    },
  })
  access = new UnitAccess({
    store,
    doors,
    memory,
    approvals,
    now,
    isOnline: () => true,
    send: (frame) => sent.push(frame),
    record: async (record) => void records.push(record),
    secondPersonMs: 20_000,
  })
})
afterEach(async () => {
  doors.stop()
  vi.useRealTimers()
  await memory.flushed()
  await rm(dir, { recursive: true })
})

function apply(config: UnitConfig) {
  store.applied = { version: (store.applied?.version ?? 0) + 1, policyVersion: 1, hash: '', config }
}

const card = { door: 1, kind: 'card', number: '4711', direction: 'entry' } as const
const bensCard = { ...card, number: '4712' }
const duress = { ...card, pin: '2589' }

/** The reason; null for a grant. */
async function reasonOf(presented: Presented) {
  const { reason } = await access.present(presented)
  return reason
}

function operatorGrants() {
  const request = sent.find((frame) => frame.type === 'approvalRequest')
  if (request?.type !== 'approvalRequest') throw new Error('No approval was requested.')
  return approvals.settle(request.id, 'granted')
}

describe('a right that ends while the user waits', () => {
  const two = withDoors({ requiresTwoPersons: true })
  const { [key('4711')]: _, ...others } = base.credentials

  test('for a second person opens no door, and the second waits for another', async () => {
    apply(two)
    const waiting = reasonOf(card)
    apply({ ...two, credentials: others })
    const second = reasonOf(bensCard)
    expect(await waiting).toBe('credential_unknown')
    vi.advanceTimersByTime(20_000)
    expect(await second).toBe('second_person_absent')
    expect(doors.open()).toEqual(new Set())
  })

  test('for a second person: two cards of one user are not two persons', async () => {
    apply(two)
    const waiting = reasonOf(card)
    apply({ ...two, credentials: { ...others, [key('4711')]: { ...bens, _id: 'card' } } })
    const second = reasonOf(bensCard)
    expect(await waiting).toBe('second_person_absent')
    vi.advanceTimersByTime(20_000)
    expect(await second).toBe('second_person_absent')
  })

  test.each([
    {
      what: 'the card',
      config: withDoors({ requiresRemoteAuth: true }, { credentials: others }),
      reason: 'credential_unknown',
    },
    { what: 'no PIN', config: withDoors({ requiresRemoteAuth: true, requiresPin: true }), reason: 'pin_required' },
    { what: 'no second person', config: withDoors({ requiresTwoPersons: true }), reason: 'second_person_required' },
    { what: 'a new secret', config: withDoors({}), reason: 'credential_unknown' },
  ])('for approval opens no door: $what', async ({ what, config, reason }) => {
    apply(withDoors({ requiresRemoteAuth: true }))
    const waiting = reasonOf(card)
    await expect.poll(() => sent).toHaveLength(1)
    const { enrolled } = store.identity
    const secretThen = what === 'a new secret' ? '' : secret
    store.identity = { ...store.identity, enrolled: enrolled && { ...enrolled, secret: secretThen } }
    apply(config)
    expect(operatorGrants()).toEqual({ verdict: 'deny', reason })
    expect(await waiting).toBe(reason)
  })
})

test('two users with access open a door for two', async () => {
  apply(withDoors({ requiresTwoPersons: true }))
  const waiting = reasonOf(card)
  expect(await reasonOf(bensCard)).toBeNull()
  expect(await waiting).toBeNull()
  expect(doors.open()).toEqual(new Set([1]))
})

describe('a duress PIN is reported', () => {
  const keypad = { requiresPin: true }
  const alone = { door: 1, kind: 'pin', pin: '2589', direction: 'entry' } as const
  const outside = {
    rules: { [rule]: { effect: 'allow', direction: 'both', adhoc: null, schedule: 'missing' } },
  } as const
  const ended = { ...anns, _id: 'duress', kind: 'pin', duress: true, validUntil: '2026-01-01T00:00:00Z' } as const
  const noRule = { holders: { ...base.holders, [holder]: { ...annsHolder, access: [] } } }

  test.each<{ where: string; config: UnitConfig; reason: string | null; presented?: Presented }>([
    { where: 'with a grant', config: withDoors(keypad), reason: null },
    { where: 'alone', config: withDoors({ acceptsPinAlone: true }), reason: null, presented: alone },
    { where: 'at a door that asks for no PIN', config: withDoors({}), reason: null },
    {
      where: 'alone at a door that needs a card',
      config: withDoors(keypad),
      reason: 'card_required',
      presented: alone,
    },
    { where: 'outside the schedule', config: withDoors(keypad, outside), reason: 'outside_schedule' },
    { where: 'without a rule', config: withDoors(keypad, noRule), reason: 'no_access' },
    { where: 'during a lockdown', config: withDoors({ ...keypad, mode: 'lockdown' }), reason: 'door_locked_down' },
    {
      where: 'before the first person',
      config: withDoors({ ...keypad, firstPerson: true }),
      reason: 'first_person_absent',
    },
    {
      where: 'after its end',
      config: withDoors(keypad, { credentials: { ...base.credentials, [key(pinNumber('2589', ann))]: ended } }),
      reason: 'pin_invalid',
    },
  ])('$where', async ({ config, reason, presented = duress }) => {
    apply(config)
    expect(await reasonOf(presented)).toBe(reason)
    expect(records).toMatchObject([{ reason, duress: true }])
  })

  test('at an interlock', async () => {
    apply(withDoors({ ...keypad, interlock: [2] }))
    doors.operate({ door: 2, what: 'held' })
    expect(await reasonOf(duress)).toBe('interlock')
    expect(records).toMatchObject([{ reason: 'interlock', duress: true }])
  })

  test('before its user waits for a second person and for approval, and only once', async () => {
    apply(withDoors({ ...keypad, requiresTwoPersons: true, requiresRemoteAuth: true }))
    const waiting = reasonOf(duress)
    expect(records).toMatchObject([{ reason: 'second_person_required', duress: true }])
    vi.advanceTimersByTime(20_000)
    expect(await waiting).toBe('second_person_absent')
    expect(records.map(({ duress: isDuress }) => isDuress)).toEqual([true, undefined])
  })

  test('before an operator is asked', async () => {
    apply(withDoors({ ...keypad, requiresRemoteAuth: true }))
    const waiting = reasonOf(duress)
    expect(records).toMatchObject([{ reason: 'remote_approval_required', duress: true }])
    operatorGrants()
    expect(await waiting).toBeNull()
    expect(records.map(({ duress: isDuress }) => isDuress)).toEqual([true, undefined])
  })

  test('unless PINs are locked: guesses raise no alarms', async () => {
    apply(withDoors(keypad))
    for (let times = 0; times < 5; times += 1) expect(await reasonOf({ ...card, pin: '0000' })).toBe('pin_invalid')
    expect(await reasonOf(duress)).toBe('pin_locked')
    expect(records.filter((record) => record.duress)).toEqual([])
  })
})

describe('anti-passback', () => {
  test('grants one card at one of two doors, until the grant has lapsed', async () => {
    apply(inArea)
    const both = await Promise.all([reasonOf(card), reasonOf({ ...card, door: 2 })])
    expect(both).toEqual([null, 'antipassback'])
  })

  test('lets the user try again when the door was not opened in time', async () => {
    apply(inArea)
    memory.granted(2, { user: ann, direction: 'entry', isFirst: false, at: Date.now(), until: Date.now() + 6_000 })
    expect(await reasonOf(card)).toBe('antipassback')
    vi.advanceTimersByTime(6_001)
    expect(await reasonOf(card)).toBeNull()
  })

  test('sees a user who is granted while the door is open', async () => {
    apply(inArea)
    expect(await reasonOf(card)).toBeNull()
    vi.advanceTimersByTime(2_000)
    expect(await reasonOf(bensCard)).toBeNull()
    vi.advanceTimersByTime(60_000)
    expect([await reasonOf(card), await reasonOf(bensCard)]).toEqual(['antipassback', 'antipassback'])
    expect(records.map(({ passed }) => passed)).toEqual([undefined, true, undefined, undefined])
  })
})

test('a first person has entered when the door opens, or at once if it is open, but not with the grant alone', async () => {
  apply(withDoors({ firstPerson: true }))
  expect(await reasonOf(bensCard)).toBeNull()
  expect(await reasonOf(card)).toBe('first_person_absent')
  vi.advanceTimersByTime(1_000)
  expect(await reasonOf(card)).toBeNull()

  apply(withDoors({ firstPerson: true, _id: 'another' }))
  expect(await reasonOf(card)).toBe('first_person_absent')
  expect(await reasonOf(bensCard)).toBeNull()
  expect(await reasonOf(card)).toBeNull()
})

test('a counted PIN is on the disk before the user learns that it was wrong', async () => {
  apply(withDoors({ requiresPin: true }))
  for (let times = 0; times < 5; times += 1) expect(await reasonOf({ ...card, pin: '0000' })).toBe('pin_invalid')
  await memory.abandon()
  const after = await UnitMemoryFile.open({ dir, report: () => {} })
  expect(after.isPinLocked(ann, Date.now())).toBe(true)
})

test('the right PIN after a card resets the count of wrong PINs', async () => {
  apply(withDoors({ requiresPin: true }))
  const pins = ['0000', '0000', '0000', '0000', '2580', '0000', '2580']
  const reasons: (string | null)[] = []
  for (const pin of pins) reasons.push(await reasonOf({ ...card, pin }))
  expect(reasons).toEqual([...Array<string>(4).fill('pin_invalid'), null, 'pin_invalid', null])
})

test('a user with approval is denied where the server does not know the other doors of the interlock', async () => {
  apply(withDoors({ requiresRemoteAuth: true, sharedInterlock: true }))
  const decided = access.present(card)
  const request = sent.find((frame) => frame.type === 'approvalRequest')
  if (request?.type !== 'approvalRequest') throw new Error('No approval was requested.')
  approvals.settle(request.id, 'granted', 'unavailable')
  expect(await decided).toEqual({ verdict: 'deny', reason: 'interlock_unavailable' })
  expect(records.at(-1)).toMatchObject({ reason: 'interlock_unavailable' })
})
