import { json, type Operation, ref } from './operation.ts'

/** The mails that the house has sent, or keeps. */
export const mailOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/outbox',
    id: 'outbox',
    tag: 'session',
    summary: 'What became of the last mails',
    description: 'For hyper users only. What a mail says is told where no mail server is set, and mail is kept here.',
    asks: 'session',
    isGuarded: false,
    answer: {
      status: 200,
      description: 'The last hundred, the newest first.',
      content: json({ type: 'array', items: ref('OutboxMail') }),
    },
    errors: ['forbidden'],
  },
]
