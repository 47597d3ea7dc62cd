import type { countRecertifyable } from '@portcullis/contract/calls/recertification'
import type { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import { parseCount } from '../collections/count.ts'
import type { Database } from '../database/database.ts'
import { periodsOf } from './periods.ts'
import { selectCountOfDue } from './select-due.ts'

/** The total is exact up to this number. */
export const maxCounted = 100_000

type CountDueInput = { access: Access; query: z.output<typeof countRecertifyable.query>; now: number }

/** How many users a list with the same query would show. */
export async function countDue(database: Database, { access, query, now }: CountDueInput) {
  const selection = {
    periods: await periodsOf(database, access.reads),
    query: { ...query, search: query.search.trim() },
    now,
  }
  const [total] = await askAs(database, access, [selectCountOfDue({ ...selection, most: maxCounted })])
  return parseCount(total)
}
