import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { fieldCode } from '../errors/field-codes.ts'
import { id, reference } from '../fields.ts'
import { name } from '../names.ts'

/** The share of the width from the left, or of the height from the top. */
const share = z.number().min(0).max(1)

const placement = z.strictObject({ kind: z.enum(['Door', 'Controller']), id: id(), x: share, y: share })
export type Placement = z.output<typeof placement>

/**
 * The plan of a floor of a site, with doors and controllers of the site at their places. An item that is later deleted,
 * moved or wired elsewhere keeps its place: clients show only items that belong to the site.
 */
export const floorPlans = defineCollection({
  name: 'floorPlans',
  entity: 'floorPlan',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: {
      placements: z
        .array(placement)
        .max(1_000)
        .refine(areDifferent, { error: fieldCode('listed_twice') })
        .default([]),
    },
    fixed: { site: reference('sites') },
    server: {
      /** The picture, which `GET /api/floorPlans/{id}/image` returns; its tag identifies the content. */
      image: z.object({ tag: z.string(), width: z.int(), height: z.int() }).nullable().default(null),
    },
  },
  searchable: ['name'],
  queryable: ['name', 'site'],
  isPolicy: false,
})

function areDifferent(placements: readonly Placement[]) {
  return new Set(placements.map(({ kind, id: item }) => `${kind} ${item}`)).size === placements.length
}
