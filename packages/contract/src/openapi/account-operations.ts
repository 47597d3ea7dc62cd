import { moveAccount } from '../calls/accounts.ts'
import { accounts } from '../collections/accounts.ts'
import { historyIdHeader, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'

const acting = { method: 'post', tag: 'accounts', asks: 'account', isGuarded: true } as const
const parameters = [pathParameter('id', 'The _id of an account below that of X-JS-ACCOUNT.')]
const theAccount = {
  status: 200,
  description: 'The account.',
  headers: historyIdHeader,
  content: json(ref(entityName(accounts))),
} as const

/** What is done to an account from one above it. */
export const accountOperations: readonly Operation[] = [
  {
    ...acting,
    path: '/api/accounts/{id}/move',
    id: 'move-account',
    summary: 'Put an account, with all below it, below another one',
    description:
      'Needs the right to manage Accounts in it, in the one above it and in the new one above it; both lie below the account of X-JS-ACCOUNT. With `dryRun` nothing happens, and the answer says who would come to see it and who no longer would.',
    parameters,
    body: inlineSchema(moveAccount.input),
    answer: {
      status: 200,
      description: 'The account, and whose sight of it the move changes.',
      headers: historyIdHeader,
      content: json(inlineSchema(moveAccount.output)),
    },
    errors: ['not_found', 'conflict', 'refused', 'unknown_reference'],
  },
  {
    ...acting,
    path: '/api/accounts/{id}/suspend',
    id: 'suspend-account',
    summary: 'Have roles in an account, and in all below it, count for nothing',
    description:
      'At once: requests are refused, rooms are left, controllers get no configuration and go on by what they have. Roles that are held above the account go on. Needs the right to manage Accounts in it and in the one above it.',
    parameters,
    answer: theAccount,
    errors: ['not_found', 'refused'],
  },
  {
    ...acting,
    path: '/api/accounts/{id}/restore',
    id: 'restore-account',
    summary: 'Have a suspended account work again',
    parameters,
    answer: theAccount,
    errors: ['not_found', 'refused'],
  },
]
