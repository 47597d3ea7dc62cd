import { maxNamedItems, type MovedUnits } from '@portcullis/contract/calls/move-units'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { namedItems } from './named-items.ts'
import { type LeftLink, leftOf, type MovePlan, ownerOf } from './plan-move.ts'

type MoveNames = MovedUnits['names']
type NamesInput = { plan: MovePlan; access: Access }

/** The first names of what a move concerns, of the items that the request may see. */
export async function namesOfMove(database: Database, { plan, access }: NamesInput): Promise<MoveNames> {
  const named = (owners: readonly Owner[]) => firstNames(database, { owners, access })
  return {
    doors: await named([{ collection: doors, ids: plan.doors.map(({ id }) => id) }]),
    sites: await named([{ collection: sites, ids: plan.movedSites }]),
    copiedSites: await named([{ collection: sites, ids: plan.copiedSites }]),
    leftGroups: await named(ownersOf(leftOf(plan.left, 'groups'))),
    leftRules: await named(ownersOf(leftOf(plan.left, 'rules'))),
  }
}

type Owner = { collection: Collection; ids: readonly string[] }

function ownersOf(links: readonly LeftLink[]): Owner[] {
  return [...Map.groupBy(links, ownerOf)].map(([collection, of]) => ({ collection, ids: of.map(({ owner }) => owner) }))
}

async function firstNames(database: Database, { owners, access }: { owners: readonly Owner[]; access: Access }) {
  const named = await Promise.all(
    owners.map((owner) => namedItems(database, { access, ...owner, limit: maxNamedItems })),
  )
  return named
    .flat()
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .slice(0, maxNamedItems)
}
