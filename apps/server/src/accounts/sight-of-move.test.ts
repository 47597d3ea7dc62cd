import { expect, test } from 'vitest'
import { type Held, sightOfMove } from './sight-of-move.ts'

/** 1 above 2 and 3; the account that is moved is 4, which stands below 2. */
const place = { before: [4, 2, 1], after: [4, 3, 1], suspended: new Set<number>() }
const held = (name: string, account: number, role: Held['role']): Held => ({ _id: name, name, account, role })

function namesOf(move: Parameters<typeof sightOfMove>[0]) {
  const { gains, loses, changes } = sightOfMove(move)
  return [gains, loses, changes].map(({ people }) => people.map(({ name }) => name))
}

test('§3 moving accounts: roles held on the way to the old place are lost, those on the way to the new one gained', () => {
  const roles = [held('Ann', 2, 'admin'), held('Ben', 3, 'admin'), held('Cy', 1, 'admin'), held('Dee', 4, 'installer')]
  expect(namesOf({ ...place, held: roles })).toEqual([['Ben'], ['Ann'], []])
})

test('§3 moving accounts: who keeps a role from further up, or holds another nearer by, sees it in another role', () => {
  const roles = [
    held('Ann', 2, 'reportingUser'),
    held('Ann', 1, 'admin'),
    held('Ben', 3, 'installer'),
    held('Ben', 1, 'admin'),
  ]
  const { gains, loses, changes } = sightOfMove({ ...place, held: roles })
  expect([gains.count, loses.count]).toEqual([0, 0])
  expect(changes.people).toMatchObject([
    { name: 'Ann', before: 'reportingUser', after: 'admin' },
    { name: 'Ben', before: 'admin', after: 'installer' },
  ])
})

test('§3 moving accounts: app users see nothing, and a nearer role of theirs hides one from further up', () => {
  const roles = [held('Ann', 3, 'appUser'), held('Ann', 1, 'admin'), held('Ben', 3, 'appUser')]
  expect(namesOf({ ...place, held: roles })).toEqual([[], ['Ann'], []])
})

test('§3 moving accounts: below a suspended account only roles from above it count', () => {
  const roles = [held('Ann', 4, 'admin'), held('Ben', 3, 'admin'), held('Cy', 1, 'admin')]
  expect(namesOf({ ...place, held: roles, suspended: new Set([3]) })).toEqual([[], ['Ann'], []])
})

test('§3 moving accounts: all are counted, and not more are named than somebody reads', () => {
  const roles = Array.from({ length: 80 }, (_, index) => held(`Person ${index}`, 3, 'admin'))
  const { gains } = sightOfMove({ ...place, held: roles })
  expect([gains.count, gains.people.length]).toEqual([80, 50])
})
