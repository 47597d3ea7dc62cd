import { nameOf, pathOf } from '@portcullis/contract/call'
import { replaceSchedule } from '@portcullis/contract/calls/replace-schedule'
import { atEach, badRequest, isIn, notFound, ok, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Replacing a schedule acts in the account entered; its rules may get a schedule of the accounts that the user covers. */
export function scheduleRecipes(world: World): Record<string, Recipe> {
  const pathTo = (id: string) => pathOf(replaceSchedule, { id })
  return {
    [nameOf(replaceSchedule)]: {
      allows: (rights) => may(rights, 'manage', 'Schedules') && may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: [
        // By the account's own schedule, which is refused for itself: other probes need it to be used.
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: ({ account }) => ({
            path: pathTo(world.idOf(target, 'schedules')),
            body: { by: world.idOf(account, 'schedules'), delete: true },
          }),
          expects: ({ account }) => (target === account ? badRequest : notFound),
          knows: ({ account }) => new Set([account]),
          isNarrowedByFilter: true,
        })),
        ...atEach((target) => ({
          placement: 'body',
          what: 'by',
          send: ({ account }) => ({
            path: `${pathTo(world.idOf(account, 'schedules'))}?preview=room`,
            body: { by: world.idOf(target, 'schedules') },
          }),
          expects: ({ account, covers }) => {
            if (target === account) return badRequest
            return isIn(covers, target) ? ok : { status: 422, code: 'unknown_reference' }
          },
          knows: ({ covers }) => covers,
        })),
      ],
    },
  }
}
