import { countRecertifyable, recertify, recertifyable } from '../calls/recertification.ts'
import { users } from '../collections/users.ts'
import { historyIdHeader, type Json, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'

const reading = { method: 'get', tag: 'users', asks: 'account', isGuarded: false } as const
const needs = 'Needs the right to recertify Users.'

const words: Readonly<Record<string, string>> = {
  due: '`overdue`: the deadline has passed; `soon`: it has, or does within `days`; `all`: whoever has one.',
  days: 'What `soon` means.',
  search: 'Part of a name, an e-mail or a title.',
  sort: 'JSON: `{"prop": "recertifyBy" | "name", "dir": "asc" | "desc"}`; the most urgent first without it.',
  page: 'Which page, from 0.',
  size: 'How many items a page has.',
}

/** Who has to be recertified, and the decision about each of them. */
export const recertificationOperations: readonly Operation[] = [
  {
    ...reading,
    path: '/api/users/recertifyable',
    id: 'recertifyable-users',
    summary: 'The people whose access has to be confirmed from time to time',
    description: `Those of the accounts in which recertification is enforced (\`recertifyEveryDays\`, there or above), unless they are suspended or no longer valid. ${needs}`,
    parameters: parametersOf(recertifyable.query.shape),
    answer: { status: 200, description: 'A page of them.', content: json(inlineSchema(recertifyable.output)) },
    errors: ['bad_request'],
  },
  {
    ...reading,
    path: '/api/users/recertifyable/count',
    id: 'count-recertifyable-users',
    summary: 'How many people a list of them would show',
    description: needs,
    parameters: parametersOf(countRecertifyable.query.shape),
    answer: {
      status: 200,
      description: 'Their number; a bound where `exact` is false.',
      content: json(inlineSchema(countRecertifyable.output)),
    },
    errors: ['bad_request'],
  },
  {
    method: 'patch',
    path: '/api/users/recertify/{id}',
    id: 'recertify-user',
    tag: 'users',
    summary: 'Confirm that a person still needs their access, or suspend them',
    description: `\`keep\` (without a body, too) has the days begin anew, and controllers get the new deadline; \`suspend\` needs the right to manage Users besides, and the person's role. It is the membership in the account of X-JS-ACCOUNT that is decided about. Nobody decides about themselves (422). ${needs}`,
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the person.')],
    body: inlineSchema(recertify.input),
    answer: {
      status: 200,
      description: 'The person.',
      headers: historyIdHeader,
      content: json(ref(entityName(users))),
    },
    errors: ['not_found', 'refused'],
  },
]

function parametersOf(shape: Readonly<Record<string, Parameters<typeof inlineSchema>[0]>>): readonly Json[] {
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: words[name] ?? name,
    schema: inlineSchema(schema),
  }))
}
