import type { Ability } from '@portcullis/contract/call'
import { expect, test } from 'vitest'
import { type Access, demandAbilities } from './access.ts'

const viewSites: Ability = { action: 'view', subject: 'Sites' }
const manageSites: Ability = { action: 'manage', subject: 'Sites' }
const viewContacts: Ability = { action: 'view', subject: 'Contacts' }

const account = { _id: 'harbour', key: 2, ref: 'harbour', name: 'Harbour', root: 1, defaultTimeZone: 'Europe/Lisbon' }
/** A user whose rules allow one thing: to view sites. */
const access: Access = {
  person: { _id: 'ann', name: 'Ann', hyper: false },
  account,
  assumed: null,
  role: 'reportingUser',
  inherited: false,
  rules: [viewSites],
  subtree: [2],
  covered: [2],
  reads: [2],
  requestId: 'request',
  freshUntil: null,
}

test('a call demands all of its abilities, and one of each inner list', () => {
  demandAbilities(access, [])
  demandAbilities(access, [viewSites])
  demandAbilities(access, [[manageSites, viewSites], viewSites])
  expect(() => demandAbilities(access, [viewSites, manageSites])).toThrow('You may not manage Sites in Harbour.')
  expect(() => demandAbilities(access, [[viewSites], [manageSites, viewContacts]])).toThrow(
    'You may not view Contacts in Harbour.',
  )
})

test('an empty inner list is a mistake in the call and allows no users', () => {
  expect(() => demandAbilities(access, [[]])).toThrow('A call lists no ability that would allow it.')
})
