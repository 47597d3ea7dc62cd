import { buttonOf, canaryOf } from './marks.ts'
import type { Target } from './places.ts'
import { atEach, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Questions to the policy: what is answered goes no further than the headers read, whatever the rules of accounts above name. */
export function explorerRecipes(world: World): Record<string, Recipe> {
  const recipe = (probes: Probe[]): Recipe => ({
    allows: (rights) => (['Access Control', 'Sites', 'Users'] as const).every((each) => may(rights, 'view', each)),
    shows: 'reads',
    isRead: true,
    probes,
  })
  const exported = (probes: Probe[]): Recipe => ({ ...recipe(probes), changes: 'account' })
  return {
    'GET /api/doors/{id}/access': recipe(lists('doors')),
    'POST /api/doors/{id}/access/export': exported(files('doors')),
    'GET /api/users/{id}/access': recipe(lists('users')),
    'POST /api/users/{id}/access/export': exported(files('users')),
    'POST /api/explorer/decide': recipe(decisions()),
  }

  function lists(collection: string): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: `${pathOf(collection, target)}?can=all&at=${moment}` }),
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
      ...atEach((target) => ({
        placement: 'search',
        what: 'words',
        send: ({ account }) => ({
          path: `${pathOf(collection, account)}?can=all&at=${moment}&search=${canaryOf(target)}`,
        }),
        expects: () => ok,
      })),
    ]
  }

  function files(collection: string): Probe[] {
    return (['csv', 'json', 'xlsx'] as const).flatMap((format) =>
      atEach((target) => ({
        placement: 'path',
        what: format,
        send: async ({ account }) => {
          await world.forgetExports(account)
          return { path: `${pathOf(collection, target)}/export`, body: { format, can: 'all', at: moment } }
        },
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    )
  }

  function decisions(): Probe[] {
    const asked = { door: 'doors', user: 'users', credential: 'credentials' } as const
    const named = Object.entries(asked).flatMap(([field, collection]) =>
      atEach((target) => ({
        placement: 'body',
        what: field,
        send: ({ account }) => {
          const who = field === 'credential' ? {} : { user: world.idOf(account, 'users') }
          const body = { door: world.idOf(account, 'doors'), ...who, at: moment }
          return { path: '/api/explorer/decide', body: { ...body, [field]: world.idOf(target, collection) } }
        },
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    )
    const numbers = atEach((target) => ({
      placement: 'body',
      what: 'number',
      send: ({ account }) => ({
        path: '/api/explorer/decide',
        body: { door: world.idOf(account, 'doors'), number: buttonOf(target), at: moment },
      }),
      expects: () => ok,
    }))
    return [...named, ...numbers]
  }

  function pathOf(collection: string, target: Target) {
    return `/api/${collection}/${world.idOf(target, collection)}/access`
  }
}

/** One for all: what is asked again is answered the same. */
const moment = new Date().toISOString()
