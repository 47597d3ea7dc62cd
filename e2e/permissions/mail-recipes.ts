import { forbidden, ok, type Recipe } from './probe.ts'

/** What became of mails, for hyper users. */
export function mailRecipes(): Record<string, Recipe> {
  return {
    'GET /api/outbox': {
      allows: () => true,
      shows: 'person',
      isRead: true,
      probes: [
        {
          placement: 'plain',
          what: 'the page',
          send: () => ({ path: '/api/outbox' }),
          expects: ({ persona }) => (persona.rights === 'hyper' ? ok : forbidden),
        },
      ],
    },
  }
}
