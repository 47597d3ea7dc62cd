import { hyperRules } from '@portcullis/contract/abilities'
import type { Me } from '@portcullis/contract/calls/authentication'
import type { Configuration } from '@portcullis/contract/calls/configuration'
import type { Answer } from './test-app.tsx'

const consent = policyDates('2025-06-01T00:00:00.000Z')

const configuration: Configuration = {
  authenticationProvider: 'local',
  cognitoTenants: [],
  version: '0.0.0',
  brand: { key: 'portcullis', product: 'Portcullis' },
  contact: 'help@portcullis.example',
  recertification: { enabled: true },
  policyUpdated: policyDates('2025-01-01T00:00:00.000Z'),
  AllEventTypes: [],
  AuditEventTypes: [],
  EventTypes: [],
}

const accountId = '0198c0de-0000-7000-8000-0000000000aa'

/** A hyper user, in the account `main`, who has agreed to everything. */
export const hyperUser: Me = {
  user: {
    _id: '0198c0de-0000-7000-8000-000000000001',
    name: 'Administrator',
    email: 'admin@portcullis.example',
    img: null,
    role: 'admin',
    hyper: true,
    idleTime: 300,
    verified: true,
    accounts: [{ ref: 'main', role: 'admin', name: 'Main account' }],
    consent,
  },
  account: {
    _id: accountId,
    ref: 'main',
    name: 'Main account',
    role: 'admin',
    defaultTimeZone: 'UTC',
    image: null,
    descendants: [],
  },
  rules: [...hyperRules],
  mfa: { enrolled: false, enabled: false, enforced: false, recoveryCodesLeft: 0 },
}

/** What the server says to each of this user's pages. */
export function signedInAs(me: Me): Answer {
  return ({ method, path, query }) => {
    if (path === '/config') return configuration
    if (path === '/api/users/me' && method === 'GET') return me
    if (path === '/api/savedViews' && query.has('list')) return { views: [], columns: null }
    if (path === '/api/accounts/hierarchy') {
      return [{ _id: accountId, ref: 'main', name: 'Main account', status: 'active', children: [] }]
    }
    return undefined
  }
}

function policyDates(at: string) {
  return { eula: at, privacy: at, terms: at, disclaimer: at }
}
