import { actionRemoteAuth, askAtDoor } from '../calls/remote-access.ts'
import { tasks } from '../collections/tasks.ts'
import { historyIdHeader, json, type Operation, pathParameter, ref } from './operation.ts'
import { entityName, inlineSchema } from './schemas.ts'

/** Asking for a door from afar, and deciding about it. */
export const remoteAccessOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/tasks',
    id: 'ask-at-door',
    tag: 'tasks',
    summary: 'Ask for a door to be unlocked once for oneself',
    description:
      'Somebody else with the right to manage RemoteAuth grants or denies it before it expires. Whoever holds a role in the account may ask.',
    asks: 'account',
    isGuarded: true,
    body: inlineSchema(askAtDoor.input),
    answer: {
      status: 201,
      description: 'The request.',
      headers: historyIdHeader,
      content: json(ref(entityName(tasks))),
    },
    errors: ['not_found', 'refused'],
  },
  {
    method: 'post',
    path: '/api/tasks/{id}/actionRemoteAuth',
    id: 'action-remote-auth',
    tag: 'tasks',
    summary: 'Grant or deny a request for remote access',
    description:
      'Decided once, by somebody else than who asked: 409 with the request as it is where somebody was first or it has expired. A grant is refused (422) where the door was locked down, blocked or wired otherwise in the meantime; the request then goes on waiting. Needs the right to manage RemoteAuth.',
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the task.')],
    body: inlineSchema(actionRemoteAuth.input),
    answer: {
      status: 200,
      description: 'The request; what becomes of the unlock is told in `delivery`.',
      headers: historyIdHeader,
      content: json(ref(entityName(tasks))),
    },
    errors: ['not_found', 'conflict', 'refused'],
  },
]
