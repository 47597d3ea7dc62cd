import { maxNamedItems, type MovedItems } from '@portcullis/contract/moved-items'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { namedItems } from '../collections/named-items.ts'
import { type LeftLink, leftGroups, leftPlans, lostUnlockSchedules, type MovePlan, ownerOf } from './plan-move.ts'

type MoveNames = MovedItems['names']
type NamesInput = { plan: MovePlan; leftRules: readonly string[]; access: Access }

/** The first names of what a move concerns, of the items that the request may see. */
export async function namesOfMove(database: Database, { plan, leftRules, access }: NamesInput): Promise<MoveNames> {
  const named = (owners: readonly Owner[]) => firstNames(database, { owners, access })
  const lostSchedules = [...new Set(lostUnlockSchedules(plan).map(({ schedule }) => schedule))]
  const sitesOfDoors = new Map(plan.doors.map(({ id, site }) => [id, site]))
  const namedDoors = await named([{ collection: doors, ids: [...sitesOfDoors.keys()] }])
  return {
    doors: namedDoors.map((door) => ({ ...door, site: sitesOfDoors.get(door._id) ?? '' })),
    sites: await named([{ collection: sites, ids: plan.movedSites }]),
    copiedSites: await named([{ collection: sites, ids: plan.copiedSites }]),
    leftGroups: await named(ownersOf(leftGroups(plan))),
    leftRules: await named([{ collection: rules, ids: leftRules }]),
    leftPlans: await named([{ collection: lockdownPlans, ids: leftPlans(plan) }]),
    leftUnlockSchedules: await named([{ collection: schedules, ids: lostSchedules }]),
  }
}

type Owner = { collection: Collection; ids: readonly string[] }

function ownersOf(links: readonly LeftLink[]): Owner[] {
  return [...Map.groupBy(links, ownerOf)].map(([collection, of]) => ({ collection, ids: of.map(({ owner }) => owner) }))
}

async function firstNames(database: Database, { owners, access }: { owners: readonly Owner[]; access: Access }) {
  const named = await Promise.all(
    owners.map(async (owner) => {
      const items = await namedItems(database, { access, ...owner, limit: maxNamedItems })
      return items.map((item) => ({ ...item, collection: owner.collection.name }))
    }),
  )
  return named
    .flat()
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .slice(0, maxNamedItems)
}
