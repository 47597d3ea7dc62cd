import { doorAccess } from '../calls/explorer.ts'
import { type Json, json, type Operation, pathParameter, ref } from './operation.ts'
import { inlineSchema } from './schemas.ts'

const asked = { asks: 'account' } as const
const door = pathParameter('id', 'The _id of the door.')
const person = pathParameter('id', 'The _id of the person.')
const needs = 'Needs the rights to view Access Control, Sites and Users.'
const allAccounts = { $ref: '#/components/parameters/allAccounts' }

const words: Record<string, string> = {
  search: 'Part of a name.',
  can: '`sometime` (the initial value) are those who can within eight weeks, `all` those too whom something keeps out.',
  at: 'The moment asked for; now without it.',
  page: 'Which page, from 0.',
  size: 'How many items a page has.',
}

const query: readonly Json[] = Object.entries(doorAccess.query.shape).map(([name, schema]) => ({
  name,
  in: 'query',
  required: false,
  description: words[name] ?? name,
  schema: inlineSchema(schema),
}))

const files = {
  'text/csv': { type: 'string' },
  'application/json': { type: 'array', items: { type: 'object' } },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { type: 'string', format: 'binary' },
}

/** Questions to the policy: who can open what, and would it open. */
export const explorerOperations: readonly Operation[] = [
  {
    ...asked,
    method: 'get',
    path: '/api/doors/{id}/access',
    id: 'door-access',
    tag: 'doors',
    summary: 'Who can open this door',
    description: `People by name, with the rules and the next stretch of time. Rules of accounts above count, and are told without names. ${needs}`,
    isGuarded: false,
    parameters: [door, ...query],
    answer: { status: 200, description: 'A page of people.', content: json(ref('DoorAccess')) },
    errors: ['bad_request', 'not_found'],
  },
  {
    ...asked,
    method: 'post',
    path: '/api/doors/{id}/access/export',
    id: 'export-door-access',
    tag: 'doors',
    summary: 'Who can open this door, as a file',
    description: needs,
    isGuarded: true,
    parameters: [door, allAccounts],
    body: ref('AccessExport'),
    answer: { status: 200, description: 'The file, streamed.', content: files },
    errors: ['not_found'],
  },
  {
    ...asked,
    method: 'get',
    path: '/api/users/{id}/access',
    id: 'user-access',
    tag: 'users',
    summary: 'What this person can open',
    description: `Doors by name, with the rules and the next stretch of time. ${needs}`,
    isGuarded: false,
    parameters: [person, ...query],
    answer: { status: 200, description: 'A page of doors.', content: json(ref('UserAccess')) },
    errors: ['bad_request', 'not_found'],
  },
  {
    ...asked,
    method: 'post',
    path: '/api/users/{id}/access/export',
    id: 'export-user-access',
    tag: 'users',
    summary: 'What this person can open, as a file',
    description: needs,
    isGuarded: true,
    parameters: [person, allAccounts],
    body: ref('AccessExport'),
    answer: { status: 200, description: 'The file, streamed.', content: files },
    errors: ['not_found'],
  },
  {
    ...asked,
    method: 'post',
    path: '/api/explorer/decide',
    id: 'decide-access',
    tag: 'explorer',
    summary: 'Would this door open then',
    description: `Asks the decision that controllers make, by the policy in force, and changes nothing. ${needs}`,
    isGuarded: true,
    parameters: [allAccounts],
    body: ref('AccessQuestion'),
    answer: {
      status: 200,
      description: 'The verdict, every check with what would have to change, and the seven days ahead.',
      content: json(ref('AccessDecision')),
    },
    errors: ['not_found'],
  },
]
