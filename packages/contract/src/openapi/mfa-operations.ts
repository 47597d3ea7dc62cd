import { enforceMfa } from '../calls/mfa.ts'
import { accounts } from '../collections/accounts.ts'
import { historyIdHeader, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'

const own = { tag: 'session', asks: 'session', isGuarded: true } as const

/** The second factor: one-time codes of an authenticator app, and recovery codes. */
export const mfaOperations: readonly Operation[] = [
  {
    ...own,
    method: 'post',
    path: '/api/auth/mfa',
    id: 'sign-in-with-code',
    summary: 'Complete a sign-in that owes a one-time code',
    description:
      'While a code is owed, everything but this, the set-up where nothing is enrolled, and the sign-out answers 403 `code_owed`, and the session lives five minutes. A code serves once. The session gets a new cookie.',
    body: ref('MfaSignIn'),
    answer: { status: 200, description: 'Who has signed in.', content: json(ref('LoggedIn')) },
    errors: ['wrong_code', 'too_many'],
  },
  {
    ...own,
    method: 'get',
    path: '/api/users/mfasetup',
    id: 'begin-mfa-set-up',
    summary: 'Make a key for an authenticator app',
    description: 'It is in force once a code of it is given. It makes something, so it is locked like a write.',
    answer: { status: 200, description: 'The key, to be scanned or typed.', content: json(ref('MfaSetUp')) },
    errors: ['fresh_sign_in_needed', 'code_owed'],
  },
  {
    ...own,
    method: 'post',
    path: '/api/users/mfasetup',
    id: 'complete-mfa-set-up',
    summary: 'Enrol an authenticator app by a code of its new key',
    description: 'The same code serves once more, for the sign-in that follows.',
    body: ref('MfaEnrol'),
    answer: { status: 200, description: 'The recovery codes, shown this once.', content: json(ref('RecoveryCodes')) },
    errors: ['wrong_code', 'fresh_sign_in_needed', 'code_owed'],
  },
  {
    ...own,
    method: 'post',
    path: '/api/users/enablemfa',
    id: 'enable-mfa',
    summary: 'Have codes of the enrolled authenticator asked for at one’s own sign-in',
    answer: { status: 204, description: 'They are asked for.' },
    errors: ['fresh_sign_in_needed', 'refused'],
  },
  {
    ...own,
    method: 'post',
    path: '/api/users/disablemfa',
    id: 'disable-mfa',
    summary: 'Have codes no longer asked for at one’s own sign-in',
    answer: { status: 204, description: 'They are no longer asked for.' },
    errors: ['fresh_sign_in_needed', 'refused'],
  },
  {
    ...own,
    method: 'post',
    path: '/api/users/recoveryCodes',
    id: 'renew-recovery-codes',
    summary: 'Make ten new recovery codes instead of those of before',
    answer: { status: 200, description: 'The codes, shown this once.', content: json(ref('RecoveryCodes')) },
    errors: ['fresh_sign_in_needed', 'refused'],
  },
  {
    method: 'post',
    path: '/api/users/{id}/mfaReset',
    id: 'reset-mfa',
    tag: 'users',
    summary: 'Forget another’s authenticator, so that they set up a new one',
    description: 'Needs the right to manage MFA, and the role of that person, in their home account.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the user.')],
    answer: { status: 204, description: 'It is forgotten.' },
    errors: ['not_found', 'refused', 'fresh_sign_in_needed'],
  },
  {
    method: 'post',
    path: '/api/accounts/{id}/enforceMFA',
    id: 'enforce-mfa',
    tag: 'accounts',
    summary: 'Ask everybody of an account, and of those below it, for codes at the sign-in, or no longer',
    description: 'Needs the right to manage Accounts.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the account.')],
    body: inlineSchema(enforceMfa.input),
    answer: {
      status: 200,
      description: 'The account.',
      headers: historyIdHeader,
      content: json(ref(entityName(accounts))),
    },
    errors: ['not_found'],
  },
]
