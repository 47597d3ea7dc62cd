import { describe, expect, test } from 'vitest'
import { policyIndex } from '../decision/gather-facts.ts'
import { pinNumber } from '../decision/presented-credential.ts'
import type { AntiPassback, Policy } from '../policy.ts'
import { credential, door, group, rule, samplePolicy, site as sampleSite, user } from '../sample-policy.ts'
import { compileUnit } from './compile-unit.ts'
import { decideOnUnit, type DecideOnUnit, foundAtDoor } from './decide-on-unit.ts'
import type { UnitMemory } from './state-on-unit.ts'

const hashNumber = (number: string) => `#${number}`
const minute = 60_000
const noon = Date.parse('2026-11-18T12:00:00Z')
const card = hashNumber(credential().number)

const site = { kind: 'Site', id: 'site' } as const
const everywhere = { rules: [rule({ who: [{ kind: 'User Group', id: 'all' }], where: [site] })] }
const all = group({ _id: 'all', members: ['nomsa', 'amir'] })
const amir = user({ _id: 'amir', name: 'Amir' })
const amirsCard = credential({ _id: 'amirs', user: 'amir', number: '7' })

function configOf(changes: Partial<Policy>) {
  const users = [user(), amir]
  const credentials = [credential(), amirsCard, ...(changes.credentials ?? [])]
  const policy = samplePolicy({ ...everywhere, users, userGroups: [all], ...changes, credentials })
  return compileUnit({ index: policyIndex(policy), unit: 'unit', at: noon, hashNumber })
}

const nothing: UnitMemory = { open: new Set(), passages: {}, firstPersonAt: {}, granted: [] }

function reasonOn(changes: Partial<Policy>, attempt: Partial<DecideOnUnit> = {}) {
  const presented = { unitDoor: 1, credentialKey: card, direction: 'entry', at: noon, memory: nothing } as const
  return decideOnUnit(configOf(changes), { ...presented, ...attempt }).reason
}

describe('interlock', () => {
  const lock = {
    doors: [door(), door({ _id: 'inner', unitDoor: 2 }), door({ _id: 'yard', unitDoor: 3 })],
    interlockingGroups: [group({ _id: 'lock', members: ['door', 'inner'] })],
  }
  const open = (...numbers: number[]) => ({ memory: { ...nothing, open: new Set(numbers) } })

  test('a door stays closed while another door of its interlock is open', () => {
    expect(reasonOn(lock, open(2))).toBe('interlock')
    expect(reasonOn(lock, open(3))).toBeNull()
    expect(reasonOn(lock, open(1))).toBeNull()
  })

  test('an unlocked door stays locked too, but needs nothing else of the state', () => {
    const unlocked = { mode: 'unlocked' } as const
    expect(reasonOn(lock, { ...open(2), ...unlocked })).toBe('interlock')
    expect(reasonOn({ doors: [door({ firstPersonGroup: 'managers' })] }, unlocked)).toBeNull()
  })

  test('a door that is wired to another unit is known to the server only', () => {
    const doors = [door(), door({ _id: 'inner', unit: 'another', unitDoor: 2 })]
    expect(reasonOn({ ...lock, doors }, open(2))).toBeNull()
    for (const [sharedInterlock, reason] of [
      ['clear', null],
      ['violated', 'interlock'],
      ['unavailable', 'interlock_unavailable'],
    ] as const) {
      expect(reasonOn({ ...lock, doors }, { sharedInterlock })).toBe(reason)
    }
  })

  test('a door at the same unit keeps it closed, whatever the server answers', () => {
    const doors = [...lock.doors.slice(0, 2), door({ _id: 'yard', unit: 'another', unitDoor: 2 })]
    const interlockingGroups = [group({ _id: 'lock', members: ['door', 'inner', 'yard'] })]
    expect(reasonOn({ doors, interlockingGroups }, { ...open(2), sharedInterlock: 'clear' })).toBe('interlock')
    expect(configOf({ doors, interlockingGroups }).doors[1]).toMatchObject({ interlock: [2], sharedInterlock: true })
    expect(configOf(lock).doors[1]).not.toHaveProperty('sharedInterlock')
  })
})

describe('anti-passback', () => {
  const area = (antiPassback: AntiPassback) => ({
    doors: [door(), door({ _id: 'back', unitDoor: 2 })],
    doorGroups: [group({ _id: 'vault', members: ['door', 'back'], antiPassback })],
  })
  const hard = area({ kind: 'hard', minutes: 10 })
  const after = (direction: 'entry' | 'exit', at = noon - minute) => ({
    memory: { ...nothing, passages: { vault: { nomsa: { direction, at } } } },
  })

  test('hard denies a second entry at any door of the area, and a second exit', () => {
    expect(reasonOn(hard, after('entry'))).toBe('antipassback')
    expect(reasonOn(hard, { ...after('entry'), unitDoor: 2 })).toBe('antipassback')
    expect(reasonOn(hard, { ...after('exit'), direction: 'exit' })).toBe('antipassback')
  })

  test('a user who has left may enter, and one who was never seen may do either', () => {
    expect(reasonOn(hard, after('exit'))).toBeNull()
    expect(reasonOn(hard)).toBeNull()
    expect(reasonOn(hard, { direction: 'exit' })).toBeNull()
    expect(reasonOn(hard, { ...after('entry'), credentialKey: hashNumber('7') })).toBeNull()
  })

  test('a grant counts until it lapses, at every door of the area and only for its user', () => {
    const grant = { user: 'nomsa', door: 1, direction: 'entry', at: noon, until: noon + 5_000 } as const
    const granted = (changes: object = {}) => ({ memory: { ...nothing, granted: [{ ...grant, ...changes }] } })
    expect(reasonOn(hard, granted())).toBe('antipassback')
    expect(reasonOn(hard, { ...granted(), unitDoor: 2 })).toBe('antipassback')
    expect(reasonOn(hard, { ...granted(), at: noon + 5_000 })).toBe('antipassback')
    expect(reasonOn(hard, { ...granted(), at: noon + 5_001 })).toBeNull()
    expect(reasonOn(hard, { ...granted(), at: noon - minute })).toBeNull()
    expect(reasonOn(hard, granted({ user: 'amir' }))).toBeNull()
    expect(reasonOn(hard, granted({ door: 3 }))).toBeNull()
    const outside = { passages: { vault: { nomsa: { direction: 'exit', at: noon - minute } } } } as const
    const entering = { memory: { ...granted().memory, ...outside } }
    expect(reasonOn(hard, { ...entering, direction: 'exit' })).toBe('antipassback')
  })

  test('soft grants a second entry and reports it', () => {
    const config = configOf(area({ kind: 'soft', minutes: 10 }))
    const decision = decideOnUnit(config, {
      unitDoor: 1,
      credentialKey: card,
      direction: 'entry',
      at: noon,
      ...after('entry'),
    })
    expect(decision.verdict).toBe('grant')
    expect(decision.findings.find(({ step }) => step === 'state')?.facts.state?.antipassback).toBe('tolerated')
  })

  test('timed denies a second entry only within the minutes after the first, and no exit', () => {
    const timed = area({ kind: 'timed', minutes: 10 })
    expect(reasonOn(timed, after('entry', noon - 10 * minute + 1))).toBe('antipassback')
    expect(reasonOn(timed, after('entry', noon - 10 * minute))).toBeNull()
    expect(reasonOn(timed, { ...after('exit'), direction: 'exit' })).toBeNull()
  })

  test('a clock that was set back does not keep a user out of a timed area', () => {
    expect(reasonOn(area({ kind: 'timed', minutes: 10 }), after('entry', noon + 60 * minute))).toBeNull()
  })
})

describe('first person in', () => {
  const opened = { doors: [door({ firstPersonGroup: 'managers' })] }
  const managers = { ...opened, userGroups: [all, group({ _id: 'managers', members: ['amir'] })] }
  const since = (at: number) => ({ memory: { ...nothing, firstPersonAt: { door: at } } })

  test('no user enters before a member of the group has on the same day at the site', () => {
    expect(reasonOn(managers)).toBe('first_person_absent')
    expect(reasonOn(managers, since(noon - 60 * minute))).toBeNull()
    expect(reasonOn(managers, since(noon - 24 * 60 * minute))).toBe('first_person_absent')
  })

  test.each([
    { first: '2026-11-18T23:00:00Z', presented: '2026-11-19T02:00:00Z', reason: null },
    { first: '2026-11-18T02:00:00Z', presented: '2026-11-18T12:00:00Z', reason: 'first_person_absent' },
  ])('the day is that of the site, here in New York: $first, then $presented', ({ first, presented, reason }) => {
    const inNewYork = { ...managers, sites: [sampleSite({ timeZone: 'America/New_York' })] }
    expect(reasonOn(inNewYork, { ...since(Date.parse(first)), at: Date.parse(presented) })).toBe(reason)
  })

  test('members of the group may always enter, and leaving needs no first person', () => {
    expect(reasonOn(managers, { credentialKey: hashNumber('7') })).toBeNull()
    expect(reasonOn(managers, { direction: 'exit' })).toBeNull()
  })

  test('a group that was deleted keeps the door closed', () => {
    expect(reasonOn(opened)).toBe('first_person_absent')
  })
})

describe('PIN', () => {
  const pin = credential({ _id: 'pin', kind: 'pin', number: '2580' })
  const duress = credential({ _id: 'duress', kind: 'pin', number: '2589', duress: true })
  const keypad = { doors: [door({ requiresPin: true, acceptsPinAlone: true })], credentials: [pin, duress] }
  const entered = (number: string, user?: string) => ({ pinKey: hashNumber(pinNumber(number, user)) })
  const alone = { credentialKey: undefined }

  test('after a card, only a PIN of the same user passes', () => {
    expect(reasonOn(keypad)).toBe('pin_required')
    expect(reasonOn(keypad, entered('2580', 'nomsa'))).toBeNull()
    expect(reasonOn(keypad, entered('2581', 'nomsa'))).toBe('pin_invalid')
    expect(reasonOn(keypad, { credentialKey: hashNumber('7'), ...entered('2580', 'amir') })).toBe('pin_invalid')
    expect(reasonOn(keypad, { ...entered('2580', 'nomsa'), isPinLocked: true })).toBe('pin_locked')
  })

  test('a PIN that is no longer valid is wrong', () => {
    const ended = { ...keypad, credentials: [{ ...pin, validUntil: '2026-11-18T11:00:00Z' }] }
    expect(reasonOn(ended, entered('2580', 'nomsa'))).toBe('pin_invalid')
  })

  test('alone it passes where the door accepts it, and a card number entered as a PIN does not', () => {
    expect(reasonOn(keypad, { ...alone, ...entered('2580') })).toBeNull()
    expect(reasonOn(keypad, { ...alone, ...entered('1111') })).toBe('pin_invalid')
    expect(reasonOn(keypad, { ...alone, ...entered(credential().number) })).toBe('pin_invalid')
    expect(reasonOn(keypad, { ...alone, ...entered('2580'), isPinLocked: true })).toBe('pin_locked')
  })

  test('alone it does not pass a door that needs a card', () => {
    const doors = [door({ requiresPin: true }), door({ _id: 'gate', unitDoor: 2, acceptsPinAlone: true })]
    expect(reasonOn({ ...keypad, doors }, { ...alone, ...entered('2580') })).toBe('card_required')
    expect(reasonOn({ ...keypad, doors }, { ...alone, ...entered('2580'), unitDoor: 2 })).toBeNull()
  })

  test('a text that a reader reads is no PIN, however it is spelled', () => {
    for (const number of [pinNumber('2580'), pinNumber('2580', 'nomsa'), pinNumber('9999')]) {
      expect(reasonOn(keypad, { credentialKey: hashNumber(number) })).toBe('credential_unknown')
      const found = foundAtDoor(configOf(keypad), { unitDoor: 1, credentialKey: hashNumber(number) })
      expect(found).toMatchObject({ credential: undefined, user: undefined })
    }
  })

  test('a PIN passes also if a user without access here has the same one', () => {
    const users = [user(), user({ _id: 'thabo', account: 'branch' })]
    const others = [null, 'thabo'].map((holder, at) =>
      credential({ _id: `a${at}`, account: 'branch', kind: 'pin', number: '2580', user: holder }),
    )
    const units = [{ _id: 'unit', account: 'branch', name: 'Unit 1', site: 'site' }]
    const credentials = [...others, pin]
    expect(reasonOn({ ...keypad, users, units, credentials }, { ...alone, ...entered('2580') })).toBeNull()
  })

  test('a duress PIN passes and is marked as one', () => {
    const config = configOf(keypad)
    expect(reasonOn(keypad, entered('2589', 'nomsa'))).toBeNull()
    const isDuress = (number: string, user?: string) =>
      foundAtDoor(config, { unitDoor: 1, ...entered(number, user) }).isDuress
    expect(isDuress('2589', 'nomsa')).toBe(true)
    expect(isDuress('2589')).toBe(true)
    expect(isDuress('2580', 'nomsa')).toBe(false)
  })

  test('a unit without a door that uses PINs gets none', () => {
    const config = configOf({ credentials: [pin] })
    expect(Object.keys(config.credentials)).toEqual([hashNumber('0412-88213'), hashNumber('7')])
    expect(foundAtDoor(config, { unitDoor: 1, credentialKey: card }).user).toBe('nomsa')
  })
})
