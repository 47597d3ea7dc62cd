import { doors } from '@portcullis/contract/collections/doors'
import { floorPlans, type Placement } from '@portcullis/contract/collections/floor-plans'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import type { Collection } from '@portcullis/contract/collection'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'
import type { Item } from '../history/record-history.ts'

/** A plan belongs to the account of its site, and its doors and controllers to the site. */
export const floorPlanHooks: CollectionHooks = {
  async beforeCreate({ tx, access }, item) {
    const { site, placements } = shown.parse(item)
    // A site that is moving to another account takes only its earlier plans along.
    const own = await tx.run(
      sql`select from site where site_id = ${site} and site_account = ${access.account.key} for share`,
    )
    if (own === 0) throw unknown('site', sites)
    // Undoing a deletion restores the places, but the image is gone.
    if ('image' in item) return { image: null }
    await demandAtSite({ tx, access }, { site, placements })
    return {}
  },

  async beforePatch(writing, { before, changes }) {
    if (changes['placements'] === undefined) return {}
    const earlier = shown.parse(before)
    const { placements } = shown.parse({ ...before, ...changes })
    const known = new Set(earlier.placements.map(keyOf))
    await demandAtSite(writing, {
      site: earlier.site,
      placements: placements.filter((placement) => !known.has(keyOf(placement))),
    })
    return {}
  },

  lostOnDelete: (before: Item) => (before['image'] === null ? [] : ['image']),
}

const shown = floorPlans.entitySchema.pick({ site: true, placements: true })

function keyOf({ kind, id }: Placement) {
  return `${kind} ${id}`
}

type Placing = { site: string; placements: readonly Placement[] }

/** A controller belongs to the site where it is and to those of its doors. */
async function demandAtSite({ tx, access }: Writing, { site, placements }: Placing) {
  const idsOf = (of: Placement['kind']) => placements.filter(({ kind }) => kind === of).map(({ id }) => id)
  const inSight = sql`any(${access.covered}::int[])`
  const rows = await tx.rows(
    z.object({ kind: z.enum(['Door', 'Controller']) }),
    sql`select 'Door' as kind from unnest(${idsOf('Door')}::uuid[]) given (id)
         where not exists (select from door where door_id = given.id and door_site = ${site} and door_account = ${inSight})
        union all
        select 'Controller' from unnest(${idsOf('Controller')}::uuid[]) given (id)
         where not exists (select from unit where unit_id = given.id and unit_account = ${inSight}
           and (unit_site = ${site} or exists (select from door where door_unit = unit_id and door_site = ${site}
                                                  and door_account = ${inSight})))`,
  )
  const [missing] = rows
  if (missing) throw unknown('placements', missing.kind === 'Door' ? doors : units)
}

function unknown(field: string, { name }: Collection) {
  return new AppError('unknown_reference', {}, { fields: { [field]: problem('not_in_sight', { collection: name }) } })
}
