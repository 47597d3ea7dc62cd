import { maxNamedItems, type MovedUnits } from '@portcullis/contract/calls/move-units'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { type LeftLink, leftOf, type MovePlan, ownerOf } from './plan-move.ts'

type MoveNames = MovedUnits['names']
type NamesInput = { plan: MovePlan; from: number }

/**
 * The first names of what a move concerns. Names of items above the account `from`, or elsewhere in the tree, are left out:
 * the right to move is the right to see only its own and those below.
 */
export async function namesOfMove(tx: Transaction, { plan, from }: NamesInput): Promise<MoveNames> {
  const named = (owners: readonly Owner[]) => firstNames(tx, { owners, from })
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
  const byCollection = Map.groupBy(links, ownerOf)
  return [...byCollection].flatMap(([collection, of]) =>
    collection ? [{ collection, ids: of.map(({ owner }) => owner) }] : [],
  )
}

const row = z.object({ name: z.string() })

async function firstNames(tx: Transaction, { owners, from }: { owners: readonly Owner[]; from: number }) {
  const names: string[] = []
  for (const { collection, ids } of owners) {
    const table = tableOf(collection)
    const column = table.columns.get('name')
    if (!column || ids.length === 0) continue
    const rows = await tx.rows(
      row,
      sql`select ${column.name} as name from ${table.name}
           where ${table.id} = any(${[...ids]}::uuid[])
             and ${table.account} = any(array(select account_closure_descendant from account_closure
                   where account_closure_ancestor = ${from}))
           order by ${column.name} limit ${maxNamedItems}`,
    )
    names.push(...rows.map(({ name }) => name))
  }
  return names.toSorted((a, b) => a.localeCompare(b, 'en')).slice(0, maxNamedItems)
}
