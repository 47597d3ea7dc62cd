import { z } from 'zod'
import { doorModeRequest } from '../calls/door-modes.ts'
import { doors } from '../collections/doors.ts'
import { forgotPassword } from '../calls/password-reset.ts'
import { accountOperations } from './account-operations.ts'
import { assumeOperations } from './assume-operations.ts'
import { auditLogOperations } from './audit-log-operations.ts'
import { explorerOperations } from './explorer-operations.ts'
import { mailOperations } from './mail-operations.ts'
import { mfaOperations } from './mfa-operations.ts'
import { json, type Operation, pathParameter, ref } from './operation.ts'
import { ownAccountOperations } from './own-account-operations.ts'
import { ownSessionOperations } from './own-session-operations.ts'
import { recertificationOperations } from './recertification-operations.ts'
import { remoteAccessOperations } from './remote-access-operations.ts'
import { savedViewOperations } from './saved-view-operations.ts'
import { entityName, inlineSchema } from './schemas.ts'

/** What is not one of the generic verbs: calls with an input and an output of their own. */
export const callOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/auth/login',
    id: 'login',
    tag: 'session',
    summary: 'Sign in',
    description: 'Sets the cookie of the session, which every other call carries. X-JS-ACCOUNT is `null` here.',
    asks: 'none',
    isGuarded: true,
    body: ref('Login'),
    answer: { status: 200, description: 'Who has signed in.', content: json(ref('LoggedIn')) },
    errors: ['wrong_credentials', 'suspended', 'too_many'],
  },
  {
    method: 'post',
    path: '/api/auth/logout',
    id: 'logout',
    tag: 'session',
    summary: 'Sign out',
    description: 'Ends the session, and answers the same where there is none.',
    asks: 'none',
    isGuarded: true,
    answer: { status: 204, description: 'There is no session any more.' },
  },
  {
    method: 'get',
    path: '/api/users/me',
    id: 'me',
    tag: 'session',
    summary: 'Who is signed in, and what they may do in the account',
    asks: 'account',
    isGuarded: false,
    answer: { status: 200, description: 'The person, the account and their rights in it.', content: json(ref('Me')) },
  },
  {
    method: 'get',
    path: '/api/users/forgot',
    id: 'forgot-password',
    tag: 'session',
    summary: 'Have a link sent that sets a new password',
    description:
      'The answer is the same whether or not anybody has this e-mail. It sends mail, so it is locked like a write.',
    asks: 'none',
    isGuarded: true,
    parameters: [
      { name: 'email', in: 'query', required: true, schema: inlineSchema(forgotPassword.input.shape.email) },
    ],
    answer: { status: 204, description: 'The mail is on its way, if there is anybody to send it to.' },
    errors: ['bad_request', 'too_many'],
  },
  {
    method: 'put',
    path: '/api/users/{id}/forgot/{token}',
    id: 'reset-password',
    tag: 'session',
    summary: 'Set a new password by the link of a mail',
    asks: 'none',
    isGuarded: true,
    parameters: [
      pathParameter('id', 'The person, from the link.'),
      pathParameter('token', 'The secret, from the link.'),
    ],
    body: ref('ResetPassword'),
    answer: { status: 204, description: 'The password is set; sessions of before have ended.' },
    errors: ['link_ended', 'weak_password'],
  },
  {
    method: 'get',
    path: '/api/accounts/hierarchy',
    id: 'account-hierarchy',
    tag: 'accounts',
    summary: 'The accounts that one may see, nested',
    asks: 'session',
    isGuarded: false,
    answer: {
      status: 200,
      description: 'The topmost accounts, each with those below it.',
      content: json({ type: 'array', items: ref('AccountNode') }),
    },
  },
  {
    method: 'post',
    path: '/api/units/{id}/enrolment',
    id: 'enrol-unit',
    tag: 'units',
    summary: 'Make the code with which a controller introduces itself',
    description: 'An older code that was not used is worth nothing any more. Needs the right to manage Controllers.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the unit.')],
    answer: { status: 200, description: 'The code, shown once.', content: json(ref('UnitEnrolment')) },
    errors: ['not_found'],
  },
  {
    method: 'post',
    path: '/api/doors/{id}/unlockOnce',
    id: 'unlock-once',
    tag: 'doors',
    summary: 'Unlock a door once',
    description:
      'Answers the command as requested; what became of it is asked by its _id. Needs the right to manage RemoteAuth or Controllers.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the door.')],
    answer: { status: 200, description: 'The command.', content: json(ref('DoorCommand')) },
    errors: ['not_found', 'refused'],
  },
  {
    method: 'put',
    path: '/api/doors/{id}/mode',
    id: 'door-mode',
    tag: 'doors',
    summary: 'Hold a door unlocked, block it, lock it down, or return it to its schedule',
    description:
      'Answers the door as it is wanted; it is so once its controller has confirmed (appliedModeVersion is modeVersion). Needs the right to manage Access Control.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the door.')],
    body: inlineSchema(doorModeRequest),
    answer: { status: 200, description: 'The door.', content: json(ref(entityName(doors))) },
    errors: ['bad_request', 'not_found', 'refused', 'conflict'],
  },
  {
    method: 'get',
    path: '/api/doors/commands/{id}',
    id: 'door-command',
    tag: 'doors',
    summary: 'What became of a command',
    description: 'Needs the right to manage RemoteAuth or Controllers.',
    asks: 'account',
    isGuarded: false,
    parameters: [pathParameter('id', 'The _id of the command.')],
    answer: { status: 200, description: 'The command, with the time of each step.', content: json(ref('DoorCommand')) },
    errors: ['not_found'],
  },
  ...remoteAccessOperations,
  ...recertificationOperations,
  ...mailOperations,
  ...ownAccountOperations,
  ...ownSessionOperations,
  ...mfaOperations,
  ...savedViewOperations,
  ...explorerOperations,
  ...accountOperations,
  ...assumeOperations,
  ...auditLogOperations,
  {
    ...open('/api/openapi.json', 'openapi'),
    summary: 'This document',
    answer: { status: 200, description: 'OpenAPI 3.1.', content: json({ type: 'object' }) },
  },
  {
    ...open('/config', 'configuration'),
    summary: 'What a browser must know before anybody has signed in',
    answer: { status: 200, description: 'The configuration.', content: json(ref('Configuration')) },
  },
  {
    ...open('/health/live', 'live'),
    summary: 'Whether the process lives',
    answer: { status: 200, description: 'It does.', content: json(health('live')) },
  },
  {
    ...open('/health/ready', 'ready'),
    summary: 'Whether the server can do its work',
    answer: { status: 200, description: 'It can: its database answers.', content: json(health('ready')) },
  },
]

function open(path: string, id: string) {
  return { method: 'get', path, id, tag: 'server', asks: 'none', isGuarded: false } as const
}

function health(status: string) {
  return inlineSchema(z.object({ status: z.literal(status) }))
}
