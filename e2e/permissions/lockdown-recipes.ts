import { nameOf, pathOf } from '@portcullis/contract/call'
import { activeLockdowns, endLockdown, lockdownDoors, startLockdown } from '@portcullis/contract/calls/lockdowns'
import { atEach, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/**
 * Starting and ending act on the account entered. The plan of each account has an active lockdown, and the lockdown that is
 * ended has ended already, so that no probe locks the doors of others.
 */
export function lockdownRecipes(world: World): Record<string, Recipe> {
  return {
    [nameOf(startLockdown)]: {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: acting('lockdownPlans', (id) => pathOf(startLockdown, { id })),
    },
    [nameOf(endLockdown)]: {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: acting('ended lockdowns', (id) => pathOf(endLockdown, { id })),
    },
    [nameOf(activeLockdowns)]: {
      allows: (rights) => may(rights, 'view', 'Access Control'),
      shows: 'reads',
      isRead: true,
      probes: [
        { placement: 'plain', what: 'all', send: () => ({ path: pathOf(activeLockdowns, {}) }), expects: () => ok },
      ],
    },
    [nameOf(lockdownDoors)]: {
      allows: (rights) => may(rights, 'view', 'Access Control') && may(rights, 'view', 'Sites'),
      shows: 'reads',
      isRead: true,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: () => ({ path: pathOf(lockdownDoors, { id: world.idOf(target, 'lockdowns') }) }),
          expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
        })),
        noId(pathOf(lockdownDoors, { id: 'zebra' })),
      ],
    },
  }

  function acting(kind: string, pathTo: (id: string) => string): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: pathTo(world.idOf(target, kind)) }),
        expects: ({ account }) => (target === account ? ok : notFound),
        knows: ({ account }) => new Set([account]),
      })),
      noId(pathTo('zebra')),
    ]
  }

  function noId(path: string): Probe {
    return { placement: 'path', what: 'no id', send: () => ({ path }), expects: () => notFound }
  }
}
