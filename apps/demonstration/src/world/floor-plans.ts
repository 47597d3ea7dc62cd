import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { floorPlans as floorPlanCollection, type Placement } from '@portcullis/contract/collections/floor-plans'
import type { Transaction } from '@portcullis/server/database/database'
import sql from 'sql-template-tag'
import type { Chronicle } from './chronicle.ts'

type Place = readonly [name: string, x: number, y: number]

const name = 'Ground floor'

/** The only floor plan: the drawing is in a file of this folder. */
export const floorPlan = {
  name,
  site: 'Cold Store North',
  image: { tag: 'cold-store-north', width: 1_600, height: 1_000 },
  doors: [
    ['Gatehouse', 0.131, 0.82],
    ['Main entrance', 0.2, 0.45],
    ['Loading Bay 1', 0.6625, 0.76],
    ['Loading Bay 2', 0.7375, 0.76],
    ['Loading Bay 3', 0.8125, 0.76],
    ['Loading Bay 4', 0.8875, 0.76],
    ['Freezer 4', 0.3, 0.4],
    ['Freezer 5', 0.494, 0.4],
    ['Ripening room', 0.675, 0.4],
    ['Plant room', 0.85, 0.4],
    ['Bonded store', 0.422, 0.5],
    ['Chemical store', 0.559, 0.5],
    ['Truck gate', 0.4375, 0.95],
  ],
  units: [
    ['Cold Store controller', 0.26, 0.58],
    ['Yard controller', 0.75, 0.58],
    ['Freezer wing controller', 0.86, 0.2],
  ],
} as const satisfies { doors: readonly Place[]; units: readonly Place[] } & Record<string, unknown>

/** The places of these items of the chronicle. */
export function placementsOf(kind: Placement['kind'], places: readonly Place[], idOf: (item: string) => string) {
  return places.map(([item, x, y]): Placement => ({ kind, id: idOf(item), x, y }))
}

/** Images are not in the chronicle. */
export async function writeFloorPlanImage(tx: Transaction, chronicle: Chronicle) {
  const id = chronicle.idOf(floorPlanCollection, name)
  const { tag } = floorPlan.image
  const bytes = await readFile(join(import.meta.dirname, `${tag}.webp`))
  await tx.run(sql`insert into floor_plan_image (floor_plan_image_id, floor_plan_image_account, floor_plan_image_tag,
      floor_plan_image_bytes) select ${id}, floor_plan_account, ${tag}, ${bytes} from floor_plan where floor_plan_id = ${id}`)
}
