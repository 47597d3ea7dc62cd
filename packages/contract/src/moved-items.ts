import { z } from 'zod'
import { roleChanges } from './calls/accounts.ts'

/** The number of cardholders, and the first of them by name, as far as the caller may see them. */
const cardholders = z.object({ count: z.int(), people: z.array(z.object({ _id: z.uuid(), name: z.string() })) })

/** One of the first by name, as far as the caller may see them. */
const named = z.object({ _id: z.uuid(), name: z.string() })
/** The maximum number of items named of each kind. */
export const maxNamedItems = 5

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
  /** The plans of the sites that move. */
  floorPlans: z.int(),
  /** Groups that no longer contain the doors and sites, rules that no longer apply at them, doors without a first person. */
  leftGroups: z.int(),
  leftRules: z.int(),
  /** Lockdown plans that no longer lock the doors. */
  leftPlans: z.int(),
  leftFirstPersons: z.int(),
  /** Doors whose unlock schedule does not apply in the new account: they have none there. */
  leftUnlockSchedules: z.int(),
  names: z.object({
    doors: z.array(named.extend({ site: z.uuid() })),
    sites: z.array(named),
    copiedSites: z.array(named),
    /** The collection is `doorGroups` or `siteGroups`. */
    leftGroups: z.array(named.extend({ collection: z.string() })),
    leftRules: z.array(named),
    leftPlans: z.array(named),
    leftUnlockSchedules: z.array(named),
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
