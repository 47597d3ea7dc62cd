import { z } from 'zod'
import { defineCall, manage } from '../call.ts'
import { roleChanges } from './accounts.ts'

/** The number of cardholders, and the first of them by name, as far as the caller may see them. */
const cardholders = z.object({ count: z.int(), people: z.array(z.object({ _id: z.uuid(), name: z.string() })) })

/** One of the first by name, as far as the caller may see them. */
const named = z.object({ _id: z.uuid(), name: z.string() })
/** The maximum number of items named of each kind. */
export const maxNamedItems = 5

/** The maximum number of controllers that move together. */
export const maxMovedItems = 200

/** The maximum number of doors and controllers that move together: other changes of the account tree wait for the move. */
export const maxMovedTogether = 2_000

/** What moves to another account, and whose access changes. */
export const movedItems = z.object({
  /** Whether the items are now in the new account and were in another one before. */
  moved: z.boolean(),
  units: z.int(),
  doors: z.int(),
  sites: z.int(),
  copiedSites: z.int(),
  interlocks: z.int(),
  /** Groups that no longer contain the doors and sites, rules that no longer apply at them, doors without a first person. */
  leftGroups: z.int(),
  leftRules: z.int(),
  /** Lockdown plans that no longer lock the doors. */
  leftPlans: z.int(),
  leftFirstPersons: z.int(),
  names: z.object({
    doors: z.array(named.extend({ site: z.uuid() })),
    sites: z.array(named),
    copiedSites: z.array(named),
    /** The collection is `doorGroups` or `siteGroups`. */
    leftGroups: z.array(named.extend({ collection: z.string() })),
    leftRules: z.array(named),
    leftPlans: z.array(named),
  }),
  /** Users who begin or cease to see the items, or see them in another role. Hyper users always do. */
  gains: roleChanges,
  loses: roleChanges,
  changes: roleChanges,
  /** Cardholders who lose one of the doors, and those who gain one because a deny rule of the old account ends. */
  losesDoors: cardholders,
  gainsDoors: cardholders,
})
export type MovedItems = z.output<typeof movedItems>

export const moveUnits = defineCall({
  id: 'move-units',
  method: 'POST',
  path: '/api/units/moveUnits',
  tag: 'units',
  summary: 'Move controllers to another account',
  description:
    'Their doors and interlocks move along, and so do sites of which nothing stays behind; a site that keeps other doors or controllers is copied. Doors and sites leave the groups and rules that do not apply in the new account. Events and the audit log stay where they were made. Needs the right to manage Controllers and Sites in both accounts, which belong to one account tree, and Access Control in the old one, whose rules end. With `dryRun` nothing changes.',
  access: 'account',
  abilities: [manage('Controllers'), manage('Sites'), manage('Access Control')],
  input: z.strictObject({
    unitIds: z.array(z.uuid()).min(1).max(maxMovedItems),
    toAccount: z.uuid(),
    dryRun: z.boolean().default(false),
  }),
  output: movedItems,
  isRecorded: true,
  returns: 'What moves with the controllers, and whose access changes.',
  errors: [
    'not_found',
    'unknown_reference',
    'units_tied_elsewhere',
    'units_share_interlock',
    'door_in_lockdown',
    'move_too_large',
    'taken',
  ],
})
