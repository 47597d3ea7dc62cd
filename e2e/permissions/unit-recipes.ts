import { atEach, isIn, notFound, ok, type Probe, type Recipe, type Sent } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Enrolment of units, commands to doors and their modes: acting is for the account that one is in, looking for what one reads. */
export function unitRecipes(world: World): Record<string, Recipe> {
  const commands: Recipe['allows'] = (rights) =>
    may(rights, 'manage', 'RemoteAuth') || may(rights, 'manage', 'Controllers')
  return {
    'POST /api/units/{id}/enrolment': {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      probes: acting('units', (id) => ({ path: `/api/units/${id}/enrolment` })),
    },
    'POST /api/doors/{id}/unlockOnce': {
      allows: commands,
      shows: 'account',
      isRead: false,
      probes: acting('doors', (id) => ({ path: `/api/doors/${id}/unlockOnce` })),
    },
    'PUT /api/doors/{id}/mode': {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: acting('doors', (id) => ({ path: `/api/doors/${id}/mode`, body: { mode: 'lockdown' } })).map((probe) => ({
        ...probe,
        isNarrowedByFilter: true,
      })),
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
        noId({ path: '/api/doors/commands/zebra' }),
      ],
    },
  }

  function acting(collection: string, sent: (id: string) => Sent): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => sent(world.idOf(target, collection)),
        expects: ({ account }) => (target === account ? ok : notFound),
        knows: ({ account }) => new Set([account]),
      })),
      noId(sent('zebra')),
    ]
  }

  function noId(sent: Sent): Probe {
    return { placement: 'path', what: 'no id', send: () => sent, expects: () => notFound }
  }
}
