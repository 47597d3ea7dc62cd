import { json, type Operation, pathParameter, ref } from './operation.ts'

const own = { tag: 'session', asks: 'session' } as const

/** One's own sessions: their life, where they are, and who tried to open one. */
export const ownSessionOperations: readonly Operation[] = [
  {
    ...own,
    method: 'post',
    path: '/api/auth/activity',
    id: 'activity',
    summary: 'Say that the person is there',
    description:
      'A session ends a minute after its person’s idle time without this, and twelve hours after the sign-in: no other call counts as activity. A program says it as often as it needs, or signs in anew.',
    isGuarded: true,
    answer: { status: 200, description: 'When the session ends without more of it.', content: json(ref('Activity')) },
  },
  {
    ...own,
    method: 'post',
    path: '/api/auth/confirm',
    id: 'confirm-identity',
    summary: 'Show once more who one is',
    description:
      'What concerns a person’s own security asks for a sign-in, or this, of the last ten minutes: 403 `fresh_sign_in_needed`. The session gets a new cookie; requests under way may come with the old one for half a minute.',
    isGuarded: true,
    body: ref('ConfirmIdentity'),
    answer: { status: 204, description: 'It is confirmed.' },
    errors: ['wrong_credentials', 'wrong_code', 'conflict', 'too_many'],
  },
  {
    ...own,
    method: 'get',
    path: '/api/users/me/sessions',
    id: 'own-sessions',
    summary: 'Where one is signed in',
    isGuarded: false,
    answer: { status: 200, description: 'The newest first.', content: json(ref('OwnSessions')) },
  },
  {
    ...own,
    method: 'delete',
    path: '/api/users/me/sessions/{id}',
    id: 'end-own-session',
    summary: 'End a session of one’s own',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the session.')],
    answer: { status: 204, description: 'It has ended, and its real-time connections with it.' },
    errors: ['not_found'],
  },
  {
    ...own,
    method: 'post',
    path: '/api/users/me/sessions/endOthers',
    id: 'end-other-sessions',
    summary: 'End all sessions of one’s own but the one that asks',
    isGuarded: true,
    answer: { status: 200, description: 'How many ended.', content: json(ref('EndOtherSessions')) },
  },
  {
    ...own,
    method: 'get',
    path: '/api/users/me/signIns',
    id: 'own-sign-ins',
    summary: 'The last tries to sign in as oneself',
    isGuarded: false,
    answer: { status: 200, description: 'At most a hundred, the newest first.', content: json(ref('OwnSignIns')) },
  },
]
