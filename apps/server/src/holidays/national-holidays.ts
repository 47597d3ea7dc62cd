import { foundHoliday } from '@portcullis/contract/calls/import-holidays'
import { type nationalHolidays, nationalTypes } from '@portcullis/contract/calls/national-holidays'
import type { OutputOf, QueryOf } from '@portcullis/contract/call'
import type { HolidayDates } from '@portcullis/domain/policy'
import Holidays, { type HolidaysTypes } from 'date-holidays'

type National = OutputOf<typeof nationalHolidays>
type Query = QueryOf<typeof nationalHolidays>
type ReadOptions = {
  /** Runs work that blocks the process: one year of some countries takes 0.1 to 0.3 s. */
  step: <T>(work: () => T) => Promise<T>
  thisYear: number
  signal?: AbortSignal | undefined
}

/** The countries and regions of the library, and the national holidays of one of them. */
export async function readNational(
  { country, region, language, ...years }: Query,
  { step, thisYear, signal }: ReadOptions,
): Promise<National> {
  const all = await step(() => new Holidays())
  const countries = choicesOf(all.getCountries(language))
  if (country === undefined || !countries.some(({ code }) => code === country))
    return { countries, regions: [], holidays: [] }
  const regions = choicesOf(all.getStates(country, language))
  const isKnown = regions.some(({ code }) => code === region)
  const place = { country, ...(isKnown && region !== undefined ? { state: region } : {}) }
  const { from = thisYear, until = from } = years
  const days: Day[] = []
  for (let year = from; year <= until; year++) {
    signal?.throwIfAborted()
    const key = JSON.stringify([place, language, year])
    days.push(...(cache.get(key) ?? (await step(() => remember(key, daysIn({ place, language, year }))))))
  }
  return { countries, regions, holidays: byName(days) }
}

type Place = { country: string; state?: string }
type Day = { name: string; type: HolidaysTypes.HolidayType; dates: HolidayDates }

function daysIn({ place, language, year }: { place: Place; language: string; year: number }): Day[] {
  const found = new Holidays(place, { types: [...nationalTypes], languages: [language, 'en'] })
  return found.getHolidays(year).flatMap((day) => {
    const dates = datesOf(day)
    return dates ? [{ name: day.name.slice(0, maxName).toWellFormed(), type: day.type, dates }] : []
  })
}

/** Years of a place in a language; each has about 30 days. */
const cache = new Map<string, Day[]>()
const maxCached = 500

function remember(key: string, days: Day[]) {
  const [oldest] = cache.keys()
  if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
  cache.set(key, days)
  return days
}

function choicesOf(names: Readonly<Record<string, string>> | undefined) {
  return Object.entries(names ?? {}).map(([code, name]) => ({ code, name }))
}

/** One holiday for each name, with its dates in all years. */
function byName(days: readonly Day[]): National['holidays'] {
  return [...Map.groupBy(days, ({ name }) => name)].flatMap(([name, same]) => {
    const [first] = same
    if (first === undefined) return []
    const kind = first.type === 'public' || first.type === 'bank' ? 'public' : 'special'
    const holiday = foundHoliday.safeParse({ name, kind, dates: same.map(({ dates }) => dates) })
    return holiday.success ? [{ type: first.type, holiday: holiday.data }] : []
  })
}

const maxName = 120
const dayMs = 86_400_000

/** `2026-04-03 00:00:00`, with the offset of lunar calendars; undefined for a part of a day. */
function datesOf({ date, start, end }: HolidaysTypes.Holiday): HolidayDates | undefined {
  const days = Math.round((end.getTime() - start.getTime()) / dayMs)
  if (!date.slice(11).startsWith('00:00:00') || days < 1) return undefined
  const from = date.slice(0, 10)
  const until = new Date(Date.parse(from) + (days - 1) * dayMs).toISOString().slice(0, 10)
  return { from, until, recurring: false }
}
