import { assumeAccount, assumptionMaxMinutes, endAssumption } from '../calls/assume-account.ts'
import { json, type Operation, pathParameter } from './operation.ts'
import { inlineSchema } from './schemas.ts'

const acting = { method: 'post', tag: 'accounts', asks: 'account', isGuarded: true } as const
const parameters = [pathParameter('id', 'The _id of an account below that of X-JS-ACCOUNT, or its ref.')]

/** Acting inside an account below the one in which somebody stands, for a reason that the audit log keeps. */
export const assumeOperations: readonly Operation[] = [
  {
    ...acting,
    path: '/api/accounts/{id}/assume',
    id: 'assume-account',
    summary: 'Say why one acts inside an account',
    description: `For hyper users. What is changed there by x-js-assume-account then carries the reason in the audit log, until it is ended, the session ends, or ${assumptionMaxMinutes} minutes have passed. Whoever has begun it once is refused with \`assumption_ended\` after its end; a program that never begins it may send the header all the same.`,
    parameters,
    body: inlineSchema(assumeAccount.input),
    answer: {
      status: 200,
      description: 'What is open now, or was already: then with the reason that it had.',
      content: json(inlineSchema(assumeAccount.output)),
    },
    errors: ['assumption_ended', 'refused'],
  },
  {
    ...acting,
    path: '/api/accounts/{id}/assume/end',
    id: 'end-assumption',
    summary: 'Act inside an account no longer',
    description: 'Harmless where it has ended already.',
    parameters,
    answer: {
      status: 200,
      description: 'How long it was, or null where nothing was open.',
      content: json(inlineSchema(endAssumption.output)),
    },
    errors: ['assumption_ended', 'refused'],
  },
]
