import { z } from 'zod'
import type { FilterValues } from '../list/filters/filters.ts'

const values = z.record(z.string(), z.string())

/** The address of a new incident report over the events that a list of them shows: inside the account. */
export function reportAddress(filters: FilterValues) {
  return { path: '/incidentReports/list', search: { open: 'new', events: JSON.stringify(filters) } } as const
}

/** What such an address says of the events. */
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
