import { expect, test } from 'vitest'
import { type Held, accessChangesOfMove } from './access-changes-of-move.ts'

/** Account 1 is above 2 and 3; account 4, below 2, is moved. */
const place = { before: [4, 2, 1], after: [4, 3, 1], visible: [1, 2, 3, 4], suspended: new Set<number>() }
const held = (name: string, account: number, role: Held['role']): Held => ({ _id: name, name, account, role })

function namesOf(move: Parameters<typeof accessChangesOfMove>[0]) {
  const { gains, loses, changes } = accessChangesOfMove(move)
  return [gains, loses, changes].map(({ people }) => people.map(({ name }) => name))
}

test('§3 moving accounts: roles above the old place are lost, those above the new place are gained', () => {
  const roles = [held('Ann', 2, 'admin'), held('Ben', 3, 'admin'), held('Cy', 1, 'admin'), held('Dee', 4, 'installer')]
  expect(namesOf({ ...place, held: roles })).toEqual([['Ben'], ['Ann'], []])
})

test('§3 moving accounts: users with another role further up, or nearer by, change roles', () => {
  const roles = [
    held('Ann', 2, 'reportingUser'),
    held('Ann', 1, 'admin'),
    held('Ben', 3, 'installer'),
    held('Ben', 1, 'admin'),
  ]
  const { gains, loses, changes } = accessChangesOfMove({ ...place, held: roles })
  expect([gains.count, loses.count]).toEqual([0, 0])
  expect(changes.people).toMatchObject([
    { name: 'Ann', before: 'reportingUser', after: 'admin' },
    { name: 'Ben', before: 'admin', after: 'installer' },
  ])
})

test('§3 moving accounts: app users see nothing, and a nearer app user role hides one further up', () => {
  const roles = [held('Ann', 3, 'appUser'), held('Ann', 1, 'admin'), held('Ben', 3, 'appUser')]
  expect(namesOf({ ...place, held: roles })).toEqual([[], ['Ann'], []])
})

test('§3 moving accounts: below a suspended account only roles from above it count', () => {
  const roles = [held('Ann', 4, 'admin'), held('Ben', 3, 'admin'), held('Cy', 1, 'admin')]
  expect(namesOf({ ...place, held: roles, suspended: new Set([3]) })).toEqual([[], ['Ann'], []])
})

test('§3 moving accounts: all users are counted, but at most 50 are named', () => {
  const roles = Array.from({ length: 80 }, (_, index) => held(`Person ${index}`, 3, 'admin'))
  const { gains } = accessChangesOfMove({ ...place, held: roles })
  expect([gains.count, gains.people.length]).toEqual([80, 50])
})

test('§3 moving accounts: users whose roles the user cannot see are counted, but not named', () => {
  const roles = [
    held('Ann', 2, 'admin'),
    held('Ann', 3, 'installer'),
    held('Ben', 2, 'admin'),
    held('Cy', 3, 'admin'),
    held('Dee', 3, 'installer'),
    held('Dee', 1, 'admin'),
  ]
  const { gains, loses, changes } = accessChangesOfMove({ ...place, visible: [4, 3], held: roles })
  expect(gains).toMatchObject({ count: 1, people: [{ name: 'Cy' }] })
  expect([loses, changes]).toEqual([
    { count: 1, people: [] },
    { count: 2, people: [] },
  ])
})
