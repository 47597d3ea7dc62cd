import { nameOf, pathOf } from '@portcullis/contract/call'
import { doorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { exportDoorsOfSites, moveSite, siteStates } from '@portcullis/contract/calls/sites'
import { canaryOf } from './marks.ts'
import { atEach, badRequest, isIn, ok, type Probe, type Recipe } from './probe.ts'
import { rowsReturned } from './reading.ts'
import { may, mayMove } from './role-table.ts'
import type { Outcome } from './expected-answer.ts'
import { anotherOf, type World } from './world.ts'

/** A site without doors: other probes give the doors of the first one to other accounts, which ties it. */
const bare = anotherOf('sites')
const unknown: Outcome = { status: 422, code: 'unknown_reference' }

/** The calls of sites: the export shows the doors of the accounts that the headers read. */
export function siteRecipes(world: World): Record<string, Recipe> {
  const sent =
    (body: object): Probe['send'] =>
    async ({ account }) => {
      await world.forgetExports(account)
      return { path: exportDoorsOfSites.path, body: { format: 'json', ...body } }
    }
  const all: Pick<Probe, 'expects' | 'check'> = {
    expects: () => ok,
    check: (answer, { reads }) => {
      const [expected, returned] = [world.rowsIn('doors', reads).length, rowsReturned('export', answer)]
      if (expected === returned) return undefined
      return { kind: returned > expected ? 'leak' : 'surprise', what: `it has ${returned} doors, not ${expected}` }
    },
  }
  return {
    [nameOf(exportDoorsOfSites)]: {
      allows: (rights) => may(rights, 'view', 'Sites'),
      shows: 'reads',
      isRead: true,
      // An export adds an entry to the account's audit log.
      changes: 'account',
      probes: [
        ...(['csv', 'json', 'xlsx'] as const).map((format) => ({
          placement: 'plain' as const,
          what: format,
          send: sent({ format }),
          ...all,
        })),
        { placement: 'columns', what: 'groups', send: sent({ columns: ['_id', 'site', 'groups', 'unit'] }), ...all },
        { placement: 'columns', what: 'unknown', send: sent({ columns: ['zebra'] }), expects: () => badRequest },
        ...atEach((target) => ({
          placement: 'filter',
          what: '_id',
          send: sent({ filter: { _id: world.idOf(target, 'sites') } }),
          expects: () => ok,
        })),
        ...atEach((target) => ({
          placement: 'search',
          what: 'words',
          send: sent({ search: canaryOf(target) }),
          expects: () => ok,
        })),
      ],
    },
    [nameOf(moveSite)]: {
      allows: mayMove,
      shows: 'account',
      isRead: false,
      probes: atEach((target) => ({
        placement: 'body',
        what: 'siteId',
        send: ({ account }) => ({
          path: `${pathOf(moveSite, {})}?preview=true`,
          body: { siteId: world.idOf(target, bare), accountId: world.idOf(account, 'accounts') },
        }),
        expects: ({ account }) => (target === account ? ok : unknown),
        knows: ({ account }) => new Set([account]),
      })),
    },
    [nameOf(siteStates)]: byIds(siteStates.path, 'sites'),
    [nameOf(doorUnlockHours)]: byIds(doorUnlockHours.path, 'doors'),
  }

  function byIds(path: string, kind: string): Recipe {
    return {
      allows: (rights) => may(rights, 'view', 'Sites'),
      shows: 'reads',
      isRead: true,
      probes: [
        ...atEach((target) => ({
          placement: 'filter',
          what: 'ids',
          send: () => ({ path: `${path}?ids=${world.idOf(target, kind)}` }),
          expects: () => ok,
          check: ({ text }, { reads }) => {
            const [isShown, isVisible] = [text.includes(world.idOf(target, kind)), isIn(reads, target)]
            if (isShown === isVisible) return undefined
            return { kind: isShown ? 'leak' : 'surprise', what: `${isShown ? 'it has' : 'it lacks'} the item` }
          },
        })),
        { placement: 'filter', what: 'no id', send: () => ({ path: `${path}?ids=zebra` }), expects: () => badRequest },
      ],
    }
  }
}
