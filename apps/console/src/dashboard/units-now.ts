import { unitStatuses, units } from '@portcullis/contract/collections/units'
import type { Filter } from '@portcullis/contract/list-query'
import { z } from 'zod'
import { client } from '../session/client.ts'
import { useTileQuery } from './use-announced.ts'

/** Read as a whole, those with a fault and offline ones first: a count cannot show which are in sync. */
const maxListed = 200

const row = z.object({ status: z.enum(unitStatuses), inService: z.boolean(), count: z.int() })
export type CountedUnits = z.output<typeof row>

/** How many controllers are in each state, and the enabled ones themselves, as far as they are loaded. */
export function useUnitsNow() {
  return useTileQuery({ of: units, what: 'now', ask: readUnits })
}

async function readUnits(signal: AbortSignal) {
  const list = (filter: Filter) =>
    client.of(units).list({ filter, sort: { prop: 'status', dir: 'asc' }, size: maxListed }, { signal })
  const [{ rows }, { items, page }, faulty] = await Promise.all([
    client.of(units).aggregate({ by: ['status', 'inService'] }, { signal }),
    list({ inService: true }),
    list({ inService: true, fault: { exists: true } }),
  ])
  const isListed = new Set(items.map(({ _id }) => _id))
  const listed = [...items, ...faulty.items.filter(({ _id }) => !isListed.has(_id))]
  return { rows: z.array(row).parse(rows), units: listed, total: page.totalElements }
}
