import { describe, expect, test } from 'vitest'
import { decideAccess } from './decide-access.ts'
import { doorOfUnit, gatherFacts, policyIndex } from './gather-facts.ts'
import type { Policy } from '../policy.ts'
import { credential, door, holiday, rule, samplePolicy, schedule, site, user } from '../sample-policy.ts'

const noon = Date.parse('2026-11-18T12:00:00Z')

function present(changes: Partial<Policy>, presented: { credentialNumber?: string; credential?: string } = {}) {
  const index = policyIndex(samplePolicy(changes))
  const card = presented.credential === undefined ? { credentialNumber: '0412-88213' } : {}
  return gatherFacts(index, { door: 'door', direction: 'entry', at: noon, ...card, ...presented })
}

describe('a number that exists in several accounts', () => {
  const people = (accounts: readonly string[]) => ({
    credentials: accounts.map((account) => credential({ _id: `card-${account}`, account, user: account })),
    users: accounts.map((account) => user({ _id: account, account })),
    rules: accounts.map((account) => rule({ _id: account, who: [{ kind: 'User', id: account }] })),
  })

  test.each([
    [['other', 'branch', 'group', 'acme'], 'card-acme'],
    [['other', 'branch', 'group'], 'card-group'],
    [['other', 'branch'], 'card-branch'],
    [['other'], 'card-other'],
  ])('of %j identifies the credential nearest to the reader', (accounts, expected) => {
    expect(present(people(accounts)).credential?._id).toBe(expected)
  })

  test('identifies the active credential within an account', () => {
    const credentials = [credential({ _id: 'a', status: 'revoked' }), credential({ _id: 'b' })]
    expect(present({ credentials }).credential?._id).toBe('b')
  })
})

describe('a card from an account unrelated to the door’s', () => {
  const stranger = { credentials: [credential({ account: 'other' })], users: [user({ account: 'other' })] }
  test('opens if a rule names its holder', () => {
    expect(decideAccess(present(stranger)).verdict).toBe('grant')
  })
  test('stays unknown if no rule does, so that its holder is not disclosed', () => {
    const facts = present({ ...stranger, rules: [] })
    expect(facts.credential).toBeUndefined()
    expect(facts.holder).toBeUndefined()
  })
})

test('a PIN alone does not identify a user', () => {
  expect(present({ credentials: [credential({ kind: 'pin' })] }).credential).toBeUndefined()
})

test('a credential can be named by its id', () => {
  expect(present({ credentials: [credential({ number: '1' })] }, { credential: 'card' }).credential?._id).toBe('card')
})

test('a user of several accounts is checked by the membership of the card’s account', () => {
  const users = [user({ account: 'group', status: 'suspended' }), user({ account: 'acme' })]
  expect(present({ users }).holder?.status).toBe('active')
  expect(present({ users, credentials: [credential({ account: 'group' })] }).holder?.status).toBe('suspended')
  // The user is not a member of the branch, but of Acme above it.
  expect(present({ users, credentials: [credential({ account: 'branch' })] }).holder?.status).toBe('active')
})

test('recertification is enforced by the nearest account that sets it', () => {
  const policy = samplePolicy()
  const accounts = policy.accounts.map((account) => ({
    ...account,
    recertifyEveryDays: account._id === 'group' ? 30 : null,
  }))
  const users = [user({ lastRecertifiedAt: '2026-11-01T00:00:00.000Z' })]
  expect(present({ accounts, users }).holder?.recertification).toEqual({
    enforced: true,
    by: '2026-12-01T00:00:00.000Z',
  })
})

describe('a holiday', () => {
  const closedBy = (changes: Partial<Policy>) => {
    const decision = decideAccess(
      present({ rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()], ...changes }),
    )
    return decision.reason === 'holiday_closed'
  }
  test('without a calendar applies to the sites of its account and of those below', () => {
    expect(closedBy({ holidays: [holiday({ account: 'group' })] })).toBe(true)
    expect(closedBy({ holidays: [holiday({ account: 'branch' })] })).toBe(false)
    expect(closedBy({ holidays: [holiday({ account: 'other' })] })).toBe(false)
  })
  test('with a calendar applies to the sites that follow it, but never in an unrelated account', () => {
    const sites = [site({ calendars: ['UK'] })]
    expect(closedBy({ sites, holidays: [holiday({ calendar: 'UK' })] })).toBe(true)
    expect(closedBy({ sites, holidays: [holiday({ calendar: 'ZA' })] })).toBe(false)
    expect(closedBy({ sites, holidays: [holiday({ calendar: 'UK', account: 'other' })] })).toBe(false)
  })
})

test('a door is found by its number on its unit', () => {
  const index = policyIndex(samplePolicy({ doors: [door({ unitDoor: 2 }), door({ _id: 'second', unitDoor: 3 })] }))
  expect(doorOfUnit(index, 'unit', 3)?._id).toBe('second')
  expect(doorOfUnit(index, 'unit', 1)).toBeUndefined()
  expect(doorOfUnit(index, 'another', 2)).toBeUndefined()
})
