import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { changeColumns, committedChange } from './committed-change.ts'
import type { Position } from './position.ts'

/** The subscription of a client: a collection of an account, or one item of it. */
export type Followed = { account: number; collection: string; item: string | null }
type MissedChangesInput = { followed: readonly Followed[]; after: Position; until: Position; most: number }

const row = z.object({ place: z.int(), change: committedChange })
const answer = z.object({ isComplete: z.boolean(), rows: z.array(row) })

/**
 * The changes of each of these between two positions, in order; undefined where the outbox does not reach back so far, and
 * `too_many` where there are more than `most`.
 */
export async function missedChanges(database: Database, { followed, after, until, most }: MissedChangesInput) {
  const found = await database.asSystem((tx) =>
    tx.first(
      answer,
      sql`select not exists (select from change_mark having min(change_mark_xid) > ${after.xid}::text::xid8) as "isComplete",
                 coalesce((select json_agg(json_build_object('place', place - 1, 'change', missed)
                                           order by place, missed.xid, missed.id)
                   from unnest(${followed.map(({ account }) => account)}::int[],
                               ${followed.map(({ collection }) => collection)}::text[],
                               ${followed.map(({ item }) => item)}::uuid[])
                        with ordinality as followed (account, collection, item, place)
                  cross join lateral (
                    select ${changeColumns} from change
                     where change_account = followed.account and change_collection = followed.collection
                       and (change_xid, change_id) > (${after.xid}::text::xid8, ${after.id})
                       and (change_xid, change_id) <= (${until.xid}::text::xid8, ${until.id})
                       and (followed.item is null or change_item = followed.item or change_action = 'reread')
                     order by change_xid, change_id limit ${most + 1}) missed), '[]') as rows`,
    ),
  )
  const { isComplete, rows } = answer.parse(found)
  if (!isComplete) return undefined
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return followed.map((_, place) => {
    const changes = (byPlace.get(place) ?? []).map(({ change }) => change)
    return changes.length > most ? ('too_many' as const) : changes
  })
}
