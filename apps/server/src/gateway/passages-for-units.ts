import { directions } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

/** Of more, a unit gets the latest: without an earlier one it lets a user enter and leave. */
const mostMissed = 10_000

/** Passages are read this long before the last one that a unit has: transactions do not end in the order of their times. */
const overlapMinutes = 5

const passageRow = z.object({
  area: z.uuid(),
  user: z.uuid(),
  direction: z.enum(directions).nullable(),
  at: z.iso.datetime(),
  storedAt: z.iso.datetime(),
})
/** As in the frame, and when the server has stored it. */
export type StoredPassage = z.output<typeof passageRow>

const columns = sql`passage_area as area, passage_user as "user", passage_direction as direction, passage_at as at,
  passage_stored_at as "storedAt"`
const doorsOfArea = sql`link join door on door_id = link_target where link_owner = passage_area and link_field = 'members'`

/** These passages by unit: each unit that has a door of the area, except the one at which the user has passed. */
export async function passagesForUnits(database: Database, passages: readonly string[]) {
  const byUnit = new Map<string, StoredPassage[]>()
  const rows = await database.rows(
    passageRow.extend({ unit: z.uuid() }),
    prepared(sql`select sharing.unit, ${columns} from passage
        cross join lateral (select distinct door_unit as unit from ${doorsOfArea} and door_unit is not null) sharing
       where passage_id = any(${[...passages]}::uuid[]) and sharing.unit is distinct from passage_unit
       order by passage_stored_at`),
  )
  for (const { unit, ...passage } of rows) {
    const ofUnit = byUnit.get(unit)
    if (ofUnit) ofUnit.push(passage)
    else byUnit.set(unit, [passage])
  }
  return byUnit
}

type MissedPassagesInput = { unit: string; upTo: string | undefined }

/**
 * The last passage of each user in the areas that this unit shares, of those that were stored since `upTo`, in that order. A unit
 * that has none stored, such as one that replaces another, also gets its own. Entries count in timed areas for some minutes.
 */
export function missedPassages(database: Database, { unit, upTo }: MissedPassagesInput) {
  return database.rows(
    passageRow,
    prepared(sql`select area, "user", direction, at, "storedAt" from (
      select ${columns} from door_group join passage on passage_area = door_group_id
       where exists (select from ${doorsOfArea} and door_unit = ${unit})
         and exists (select from ${doorsOfArea} and door_unit <> ${unit})
         and (${upTo ?? null}::timestamptz is null or (passage_unit is distinct from ${unit}
           and passage_stored_at > ${upTo ?? null}::timestamptz - make_interval(mins => ${overlapMinutes})))
         and (door_group_anti_passback->>'kind' <> 'timed'
           or passage_at > now() - make_interval(mins => (door_group_anti_passback->>'minutes')::int))
       order by passage_stored_at desc limit ${mostMissed}) latest order by "storedAt"`),
  )
}
