import { atEach, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Enrolment of units, and commands to doors: acting is for the account that one is in, looking for what one reads. */
export function unitRecipes(world: World): Record<string, Recipe> {
  const commands: Recipe['allows'] = (rights) =>
    may(rights, 'manage', 'RemoteAuth') || may(rights, 'manage', 'Controllers')
  return {
    'POST /api/units/{id}/enrolment': {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      probes: acting('units', (id) => `/api/units/${id}/enrolment`),
    },
    'POST /api/doors/{id}/unlockOnce': {
      allows: commands,
      shows: 'account',
      isRead: false,
      probes: acting('doors', (id) => `/api/doors/${id}/unlockOnce`),
    },
    'GET /api/doors/commands/{id}': {
      allows: commands,
      shows: 'reads',
      isRead: true,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: () => ({ path: `/api/doors/commands/${world.idOf(target, 'commands')}` }),
          expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
        })),
        noId('/api/doors/commands/zebra'),
      ],
    },
  }

  function acting(collection: string, path: (id: string) => string): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: path(world.idOf(target, collection)) }),
        expects: ({ account }) => (target === account ? ok : notFound),
        knows: ({ account }) => new Set([account]),
      })),
      noId(path('zebra')),
    ]
  }

  function noId(path: string): Probe {
    return { placement: 'path', what: 'no id', send: () => ({ path }), expects: () => notFound }
  }
}
