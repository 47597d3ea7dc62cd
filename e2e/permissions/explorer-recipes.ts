import { nameOf, pathOf } from '@portcullis/contract/call'
import {
  decideAccess,
  doorAccess,
  exportDoorAccess,
  exportUserAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import { userLeftOut } from '@portcullis/contract/calls/left-out'
import { whyThen } from '@portcullis/contract/calls/why-then'
import { buttonOf, canaryOf } from './marks.ts'
import type { Target } from './places.ts'
import { atEach, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/**
 * Questions about access: answers show only the accounts that the headers read, even if rules of accounts above name
 * others.
 */
export function explorerRecipes(world: World): Record<string, Recipe> {
  const recipe = (probes: Probe[]): Recipe => ({
    allows: (rights) => (['Access Control', 'Sites', 'Users'] as const).every((each) => may(rights, 'view', each)),
    shows: 'reads',
    isRead: true,
    probes,
  })
  const exported = (probes: Probe[]): Recipe => ({ ...recipe(probes), changes: 'account' })
  return {
    [nameOf(doorAccess)]: recipe(lists('doors', doorAccess)),
    [nameOf(exportDoorAccess)]: exported(files('doors', exportDoorAccess)),
    [nameOf(userAccess)]: recipe(lists('users', userAccess)),
    [nameOf(userLeftOut)]: {
      ...recipe(
        atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: () => ({ path: pathOf(userLeftOut, { id: world.idOf(target, 'users') }) }),
          expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
        })),
      ),
      allows: (rights) =>
        (['Access Control', 'Sites', 'Users', 'Controllers'] as const).every((each) => may(rights, 'view', each)),
    },
    [nameOf(exportUserAccess)]: exported(files('users', exportUserAccess)),
    [nameOf(decideAccess)]: recipe(decisions()),
    [nameOf(whyThen)]: {
      ...recipe(
        atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: () => ({ path: pathOf(whyThen, { id: world.idOf(target, 'events') }) }),
          expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
        })),
      ),
      allows: (rights) => may(rights, 'view', 'Access Events'),
    },
  }

  function lists(collection: string, call: typeof doorAccess | typeof userAccess): Probe[] {
    const path = (target: Target) => pathOf(call, { id: world.idOf(target, collection) })
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: `${path(target)}?can=all&at=${moment}` }),
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
      ...atEach((target) => ({
        placement: 'search',
        what: 'words',
        send: ({ account }) => ({
          path: `${path(account)}?can=all&at=${moment}&search=${canaryOf(target)}`,
        }),
        expects: () => ok,
      })),
    ]
  }

  function files(collection: string, call: typeof exportDoorAccess | typeof exportUserAccess): Probe[] {
    const path = (target: Target) => pathOf(call, { id: world.idOf(target, collection) })
    return (['csv', 'json', 'xlsx'] as const).flatMap((format) =>
      atEach((target) => ({
        placement: 'path',
        what: format,
        send: async ({ account }) => {
          await world.forgetExports(account)
          return { path: path(target), body: { format, can: 'all', at: moment } }
        },
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    )
  }

  function decisions(): Probe[] {
    const params = { door: 'doors', user: 'users', credential: 'credentials' } as const
    const named = Object.entries(params).flatMap(([field, collection]) =>
      atEach((target) => ({
        placement: 'body',
        what: field,
        send: ({ account }) => {
          const who = field === 'credential' ? {} : { user: world.idOf(account, 'users') }
          const body = { door: world.idOf(account, 'doors'), ...who, at: moment }
          return { path: decideAccess.path, body: { ...body, [field]: world.idOf(target, collection) } }
        },
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    )
    const numbers = atEach((target) => ({
      placement: 'body',
      what: 'number',
      send: ({ account }) => ({
        path: decideAccess.path,
        body: { door: world.idOf(account, 'doors'), number: buttonOf(target), at: moment },
      }),
      expects: () => ok,
    }))
    return [...named, ...numbers]
  }
}

/** One time for all requests, so that a repeated question has the same answer. */
const moment = new Date().toISOString()
