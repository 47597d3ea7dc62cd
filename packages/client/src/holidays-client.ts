import type { BodyOf } from '@portcullis/contract/call'
import { holidaysAbove } from '@portcullis/contract/calls/holidays-above'
import { exportCalendar, importedHolidays, importHolidays } from '@portcullis/contract/calls/import-holidays'
import { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import { changePreview } from '@portcullis/contract/change-preview'
import type { Http } from './http.ts'

/** Holidays to and from calendar files. */
export function holidaysClient(http: Http) {
  return {
    /** Stores the holidays of a file or a list; with `dryRun`, only returns what would become of each. */
    import(body: BodyOf<typeof importHolidays>, options: { signal?: AbortSignal } = {}) {
      const { method, path } = importHolidays
      return http.request({ method, path, body, answer: importedHolidays, ...options })
    },
    /** Who would gain and lose access by it. Nothing is stored. */
    previewImport(body: BodyOf<typeof importHolidays>, options: { signal?: AbortSignal } = {}) {
      const { method, path } = importHolidays
      return http.request({ method, path, query: { preview: 'true' }, body, answer: changePreview, ...options })
    },
    /** The countries, and the national holidays of one of them. */
    national(query: NationalQuery, options: { signal?: AbortSignal } = {}) {
      return http.call(nationalHolidays, { query, ...options })
    },
    /** The holidays that accounts above set for a site, or without one for all. */
    above(query: { site?: string }, options: { signal?: AbortSignal } = {}) {
      return http.call(holidaysAbove, { query, ...options })
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
