import { sites } from '@portcullis/contract/collections/sites'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { type Places, planOf } from './plan-move.ts'

const unitRow = z.object({ id: z.uuid(), name: z.string(), isOwn: z.boolean(), isShared: z.boolean() })

/** Finds what moves with a site: its doors, the controllers at the site and at its doors, and their interlocks. */
export async function planSiteMove(tx: Transaction, { site, from, to }: Places & { site: string }) {
  const own = await tx.first(
    z.object({ hasOthersDoors: z.boolean() }),
    sql`select exists(select from door where door_site = site_id and door_account <> ${from}) as "hasOthersDoors"
          from site where site_id = ${site} and site_account = ${from}`,
  )
  if (!own) {
    throw new AppError(
      'unknown_reference',
      {},
      { fields: { siteId: problem('not_in_sight', { collection: sites.name }) } },
    )
  }
  const units = await tx.rows(
    unitRow,
    sql`select unit_id as id, unit_name as name, unit_account = ${from} as "isOwn",
               coalesce(unit_site <> ${site}, false)
                 or exists(select from door where door_unit = unit_id and door_site <> ${site}) as "isShared"
          from unit where unit_site = ${site}
             or unit_id in (select door_unit from door where door_site = ${site}) order by unit_name, unit_id`,
  )
  if (own.hasOthersDoors || units.some(({ isOwn }) => !isOwn)) throw new AppError('site_tied_elsewhere')
  const shared = units.find(({ isShared }) => isShared)
  if (shared) throw new AppError('site_shares_unit', { unit: shared.name })
  return planOf(tx, { unitIds: units.map(({ id }) => id), siteIds: [site], from, to })
}
