import type { countRecertifyable } from '@portcullis/contract/calls/recertification'
import type { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import { countedIn } from '../collections/count.ts'
import type { Database } from '../database/database.ts'
import { periodsOf } from './periods.ts'
import { selectCountOfDue } from './select-due.ts'

/** Up to here the total is exact. */
export const mostCounted = 100_000

type Asked = { access: Access; query: z.output<typeof countRecertifyable.query>; now: number }

/** How many people a list of the same question would show. */
export async function countDue(database: Database, { access, query, now }: Asked) {
  const wanted = {
    periods: await periodsOf(database, access.reads),
    query: { ...query, search: query.search.trim() },
    now,
  }
  const [total] = await askAs(database, access, [selectCountOfDue({ ...wanted, most: mostCounted })])
  return countedIn(total)
}
