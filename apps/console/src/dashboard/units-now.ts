import { unitStatuses, units } from '@portcullis/contract/collections/units'
import type { Filter } from '@portcullis/contract/list-query'
import { z } from 'zod'
import { client } from '../session/client.ts'
import { useTileQuery } from './use-announced.ts'

/** Of each status, of those with a fault or tampering, and of those over capacity: a count cannot show which are in sync. */
const maxListed = 200

const row = z.object({ status: z.enum(unitStatuses), inService: z.boolean(), count: z.int() })
export type CountedUnits = z.output<typeof row>

/**
 * How many controllers are in each state and how many enabled ones are over capacity, and the enabled ones themselves, as far as they
 * are loaded.
 */
export function useUnitsNow() {
  return useTileQuery({ of: units, what: 'now', ask: readUnits })
}

async function readUnits(signal: AbortSignal) {
  const list = (filter: Filter) =>
    client.of(units).list({ filter: { inService: true, ...filter }, size: maxListed }, { signal })
  const [{ rows }, faulty, full, ...ofEachStatus] = await Promise.all([
    client.of(units).aggregate({ by: ['status', 'inService'] }, { signal }),
    list({ or: [{ fault: { exists: true } }, { tamperedSince: { exists: true } }] }),
    list({ capacityExceededSince: { exists: true } }),
    ...unitStatuses.map((status) => list({ status })),
  ])
  const listed = [faulty, full, ...ofEachStatus].flatMap(({ items }) => items.map((unit) => [unit._id, unit] as const))
  const total = ofEachStatus.reduce((sum, { page }) => sum + page.totalElements, 0)
  const counts = { total, full: full.page.totalElements }
  return { rows: z.array(row).parse(rows), units: [...new Map(listed).values()], ...counts }
}
