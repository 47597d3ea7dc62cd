import type { BodyOf } from '@portcullis/contract/call'
import { exportCalendar, importHolidays } from '@portcullis/contract/calls/import-holidays'
import { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import type { Http } from './http.ts'

/** Holidays to and from calendar files. */
export function holidaysClient(http: Http) {
  return {
    /** Stores the holidays of a file or a list; with `dryRun`, only returns what would become of each. */
    import(body: BodyOf<typeof importHolidays>, options: { signal?: AbortSignal } = {}) {
      return http.call(importHolidays, { body, ...options })
    },
    /** The countries, and the national holidays of one of them. */
    national(query: NationalQuery, options: { signal?: AbortSignal } = {}) {
      return http.call(nationalHolidays, { query, ...options })
    },
    /** The file of one calendar, or without one of all: its name, and the response to stream it from. */
    exportCalendar(calendar?: string) {
      return http.downloadCall(exportCalendar, { body: calendar === undefined ? {} : { calendar } })
    },
  }
}

type NationalQuery = {
  country?: string | undefined
  region?: string | undefined
  from?: number
  until?: number
  language?: string
}
