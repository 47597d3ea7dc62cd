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

const ownId = [pathParameter('id', 'The _id of the account of X-JS-ACCOUNT.')]

/** What is done to an account from one above it, and its picture. */
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
  {
    method: 'get',
    path: '/api/accounts/{id}/image',
    id: 'account-image',
    tag: 'accounts',
    summary: 'The picture of an account',
    description:
      'For whoever sees the account. With `If-None-Match` it answers 304 where the picture is still the same.',
    asks: 'session',
    isGuarded: false,
    parameters: [pathParameter('id', 'The ref of the account, or its _id.')],
    answer: {
      status: 200,
      description: 'At most 256 px at its longer side.',
      content: { 'image/webp': { type: 'string', contentMediaType: 'image/webp' } },
    },
    errors: ['not_found'],
  },
  {
    ...acting,
    method: 'put',
    path: '/api/accounts/{id}/image',
    id: 'set-account-image',
    summary: 'Give the account a picture',
    description:
      'PNG, JPEG or WebP of at most 2 MB and 40 megapixels, by its content. What is kept is drawn anew: small, upright, without what else the file holds. Needs the right to manage Accounts.',
    parameters: ownId,
    upload: ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'],
    answer: { status: 204, description: 'It is kept.', headers: historyIdHeader },
    errors: ['not_found', 'bad_request', 'too_large'],
  },
  {
    ...acting,
    method: 'delete',
    path: '/api/accounts/{id}/image',
    id: 'remove-account-image',
    summary: 'Take the picture of the account away',
    description: 'Needs the right to manage Accounts.',
    parameters: ownId,
    answer: { status: 204, description: 'There is none any more.', headers: historyIdHeader },
    errors: ['not_found'],
  },
]
