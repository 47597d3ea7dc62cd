import { expect, test } from 'vitest'
import type { Policy } from '../policy.ts'
import { credential, samplePolicy, user } from '../sample-policy.ts'
import { policyIndex } from './index-policy.ts'
import { changedCredentials } from './usable-credential.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const yesterday = '2026-11-25T12:00:00Z'

type Changed = { users: string[]; credentials: string[] }

function changed(policy: Partial<Policy>, { users = [], credentials = ['card'] }: Partial<Changed> = {}) {
  return changedCredentials(policyIndex(samplePolicy(policy)), { users, credentials, now })
}

test('a credential that may open a door is usable, also one that is not valid yet', () => {
  expect(changed({})).toEqual({ ended: [], usable: ['card'] })
  expect(changed({ credentials: [credential({ validFrom: '2027-01-01T00:00:00Z' })] }).usable).toEqual(['card'])
})

test.each<[string, Partial<Policy>]>([
  ['lost', { credentials: [credential({ status: 'lost' })] }],
  ['expired', { credentials: [credential({ validUntil: yesterday })] }],
  ['of no user', { credentials: [credential({ user: null })] }],
  ['of a suspended user', { users: [user({ status: 'suspended' })] }],
  ['of a user whose access has ended', { users: [user({ validUntil: yesterday })] }],
  ['deleted', { credentials: [] }],
])('a credential that is %s has ended', (_, policy) => {
  expect(changed(policy)).toEqual({ ended: ['card'], usable: [] })
})

test('a change of a user concerns all credentials of that user, each once', () => {
  const credentials = [credential(), credential({ _id: 'phone', number: '2' }), credential({ _id: 'x', user: 'ben' })]
  const policy = { credentials, users: [user({ status: 'suspended' }), user({ _id: 'ben' })] }
  expect(changed(policy, { users: ['nomsa'], credentials: ['card'] })).toEqual({ ended: ['card', 'phone'], usable: [] })
})
