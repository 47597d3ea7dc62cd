import type { SiteCalendar } from './access-facts.ts'
import { holidayDays } from '../time/holiday-days.ts'
import type { Holiday, Site } from '../policy.ts'
import type { PolicyIndex } from './policy-index.ts'
import { dayMs, type Span, type ZoneTable, zoneTransitions } from '../time/zone.ts'

/**
 * The zone and the holidays of a site between two instants (epoch milliseconds), computed once for all its controllers;
 * undefined for an unknown zone.
 */
export function siteCalendar(index: PolicyIndex, site: Site, span: Span): SiteCalendar | undefined {
  const key = `${site._id} ${span.from} ${span.until}`
  const { calendars } = index.computed
  if (!calendars.has(key)) calendars.set(key, calendarBetween(index, site, span))
  return calendars.get(key)
}

function calendarBetween(index: PolicyIndex, site: Site, span: Span): SiteCalendar | undefined {
  const zone = zoneTable(site.timeZone, span)
  if (zone === undefined) return undefined
  const holidays = holidayDays({
    holidays: holidaysOfSite(index, site),
    fromDay: Math.floor(span.from / dayMs),
    untilDay: Math.ceil(span.until / dayMs),
  })
  return { timeZone: site.timeZone, zone, holidays }
}

/** The calendar around an instant, computed once for each site and year. */
export function siteCalendarAround(index: PolicyIndex, site: Site, at: number): SiteCalendar | undefined {
  return calendarAround(index, site, at).calendar
}

/** A site's calendar for the instants of one UTC year; undefined for an unknown zone. */
export type CalendarOfYear = Span & { readonly calendar: SiteCalendar | undefined }

/** The same with the instants for which it is the calendar. */
export function calendarAround(index: PolicyIndex, site: Site, at: number): CalendarOfYear {
  const year = new Date(at).getUTCFullYear()
  const calendar = siteCalendar(index, site, { from: Date.UTC(year - 1, 0), until: Date.UTC(year + 2, 0) })
  return { from: Date.UTC(year, 0), until: Date.UTC(year + 1, 0), calendar }
}

// Accounts name calendars freely, so a name applies only in its holiday's account and those below.
function holidaysOfSite(index: PolicyIndex, { account, calendars }: Site): Holiday[] {
  const lineage = index.lineageOf(account)
  return [...index.holidays.values()].filter(
    (holiday) =>
      lineage.includes(holiday.account) && (holiday.calendar === null || calendars.includes(holiday.calendar)),
  )
}

function zoneTable(timeZone: string, { from, until }: Span): ZoneTable | undefined {
  try {
    return zoneTransitions({ timeZone, from, until })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
