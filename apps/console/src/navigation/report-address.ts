import { z } from 'zod'
import type { FilterValues } from '../list/filters/filters.ts'

const values = z.record(z.string(), z.string())

/** The address of a new incident report with the filters of the list of events, inside the account. */
export function reportAddress(filters: FilterValues) {
  return { path: '/incidentReports/list', search: { open: 'new', events: JSON.stringify(filters) } } as const
}

/** The filters of events in such an address. */
export function reportFromAddress({ events }: Readonly<Record<string, string | undefined>>): FilterValues {
  return values.safeParse(parsed(events ?? '{}')).data ?? {}
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
