import { unitStatuses, units } from '@portcullis/contract/collections/units'
import { z } from 'zod'
import { client } from '../session/client.ts'
import { useTileQuery } from './use-announced.ts'

/** Read as a whole, offline controllers first: a count cannot show which are in sync. */
const maxListed = 200

const row = z.object({ status: z.enum(unitStatuses), inService: z.boolean(), count: z.int() })
export type CountedUnits = z.output<typeof row>

/** How many controllers are in each state, and the enabled ones themselves, as far as they are loaded. */
export function useUnitsNow() {
  return useTileQuery({ of: units, what: 'now', ask: readUnits })
}

async function readUnits(signal: AbortSignal) {
  const [{ rows }, { items, page }] = await Promise.all([
    client.of(units).aggregate({ by: ['status', 'inService'] }, { signal }),
    client
      .of(units)
      .list({ filter: { inService: true }, sort: { prop: 'status', dir: 'asc' }, size: maxListed }, { signal }),
  ])
  return { rows: z.array(row).parse(rows), units: items, total: page.totalElements }
}
