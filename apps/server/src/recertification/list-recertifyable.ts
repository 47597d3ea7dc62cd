import {
  type Recertifyable,
  type RecertifyableList,
  type RecertifyableSort,
  recertifyable,
  recertifyableSort,
} from '@portcullis/contract/calls/recertification'
import { recertifyBy } from '@portcullis/domain/decision/holder-facts'
import { isOverdue } from '@portcullis/domain/decision/holder-finding'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import { countedIn } from '../collections/count.ts'
import type { Database } from '../database/database.ts'
import { jsonOf } from '../query/list-request.ts'
import { mostCounted } from './count-due.ts'
import { periodsOf } from './periods.ts'
import { selectCountOfDue, selectDue } from './select-due.ts'

type Asked = { access: Access; query: z.output<typeof recertifyable.query>; now: number }

/** A page of the people who have to be recertified, the most urgent first unless another order is asked for. */
export async function listRecertifyable(database: Database, { access, query, now }: Asked): Promise<RecertifyableList> {
  const sort = sortOf(query.sort)
  const wanted = {
    periods: await periodsOf(database, access.reads),
    query: { ...query, search: query.search.trim() },
    now,
  }
  const page = selectDue({ ...wanted, sort })
  const counting = selectCountOfDue({ ...wanted, most: mostCounted })
  const [rows = [], total] = await askAs(database, access, wanted.query.search === '' ? [page, counting] : [page])
  const { count, exact } = await countOf(rows.length)
  return {
    items: rows.map(([text]) => personOf(text, now)),
    page: {
      size: query.size,
      totalElements: count,
      totalPages: Math.ceil(count / query.size),
      pageNumber: query.page,
      ...(exact ? {} : { totalExact: false }),
    },
  }

  /** A search looks at everybody, so it is made once where the page itself tells how many were found. */
  async function countOf(shown: number) {
    if (total) return countedIn(total)
    const isLast = shown < query.size && (shown > 0 || query.page === 0)
    if (isLast) return { count: query.page * query.size + shown, exact: true }
    const [counted] = await askAs(database, access, [counting])
    return countedIn(counted)
  }
}

function sortOf(text: string | undefined): RecertifyableSort {
  if (text === undefined) return { prop: 'recertifyBy', dir: 'asc' }
  return jsonOf({ parameter: 'sort', schema: recertifyableSort, text })
}

const personRow = recertifyable.output.shape.items.element
  .omit({ recertifyBy: true, isOverdue: true })
  .extend({ validFrom: z.string().nullable() })

/** The deadline is worked out by the decision's own rule, from what the row says. */
function personOf(text: string | null | undefined, now: number): Recertifyable {
  const { validFrom, ...row } = personRow.parse(JSON.parse(text ?? ''))
  const by = recertifyBy({ ...row, validFrom }, row.recertifyEveryDays)
  return { ...row, recertifyBy: by, isOverdue: isOverdue({ enforced: true, by }, now) }
}
