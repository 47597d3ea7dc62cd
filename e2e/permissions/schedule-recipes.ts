import { nameOf, pathOf } from '@portcullis/contract/call'
import { holidaysAbove } from '@portcullis/contract/calls/holidays-above'
import { exportCalendar, importHolidays } from '@portcullis/contract/calls/import-holidays'
import { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import { replaceSchedule } from '@portcullis/contract/calls/replace-schedule'
import { atEach, badRequest, isIn, notFound, ok, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Imports act in the account entered, and exports read. Replacing a schedule acts in the account entered; its rules may get a schedule of the accounts that the user covers. */
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
    [nameOf(importHolidays)]: {
      allows: (rights) => may(rights, 'manage', 'Schedules'),
      shows: 'account',
      isRead: false,
      probes: [
        {
          placement: 'plain',
          what: 'a list',
          send: () => ({
            path: pathOf(importHolidays, {}),
            body: {
              holidays: [
                { name: 'Day', kind: 'public', dates: [{ from: '2030-01-01', until: '2030-01-01', recurring: false }] },
              ],
              dryRun: true,
            },
          }),
          expects: () => ok,
        },
        {
          placement: 'plain',
          what: 'no calendar',
          send: () => ({ path: pathOf(importHolidays, {}), body: { file: 'zebra' } }),
          expects: () => badRequest,
        },
      ],
    },
    [nameOf(holidaysAbove)]: {
      allows: (rights) => may(rights, 'view', 'Schedules') && may(rights, 'view', 'Sites'),
      // Kinds and dates only, which belong to no account.
      shows: 'nothing',
      isRead: true,
      probes: [
        { placement: 'plain', what: 'account', send: () => ({ path: holidaysAbove.path }), expects: () => ok },
        ...atEach((target) => ({
          placement: 'filter',
          what: 'a site',
          send: () => ({ path: `${holidaysAbove.path}?site=${world.idOf(target, 'sites')}` }),
          expects: ({ account }) => (target === account ? ok : notFound),
        })),
      ],
    },
    [nameOf(nationalHolidays)]: {
      allows: (rights) => may(rights, 'manage', 'Schedules'),
      shows: 'nothing',
      isRead: true,
      probes: [
        {
          placement: 'plain',
          what: 'a country',
          send: () => ({ path: `${pathOf(nationalHolidays, {})}?country=ZA` }),
          expects: () => ok,
        },
      ],
    },
    [nameOf(exportCalendar)]: {
      allows: (rights) => may(rights, 'view', 'Schedules'),
      shows: 'reads',
      isRead: true,
      changes: 'account',
      probes: [
        {
          placement: 'plain',
          what: 'all calendars',
          send: async ({ account }) => {
            await world.forgetExports(account)
            return { path: pathOf(exportCalendar, {}), body: {} }
          },
          expects: () => ok,
        },
      ],
    },
  }
}
