import { holidays } from '@portcullis/contract/collections/holidays'
import { sites } from '@portcullis/contract/collections/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { collectionKey } from '../item/keys.ts'
import { useItem } from '../item/use-item.ts'
import { useList } from '../item/use-list.ts'
import { useMinute } from '../time/use-minute.ts'
import { minutesADay } from '../time/week-lanes.ts'
import { timeOfDay, weekday } from '../time/site-time.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import styles from './days-preview.module.css'
import type { ClockChange } from './clock-changes.ts'
import type { WritableWindow } from './draw-week.ts'
import { type NextDay, nextDays, todayIn } from './next-days.ts'
import { timeAt } from '../time/clock-of.ts'

type Hours = 'closed' | 'asUsual' | { start: string; end: string }[]
type Props = { windows: WritableWindow[]; holidayHours: Record<'public' | 'company' | 'special', Hours> }

const maxHolidays = 500

/** The next 14 days by the schedule in the form at a site, with its holidays and clock changes. */
export function DaysPreview({ windows, holidayHours }: Props) {
  const { seesSites, siteId, setSite, site } = useSelectedSite()
  const { list, holidays: ownHolidays } = useHolidaysAt({ siteId, calendars: site?.calendars ?? [] })
  const above = useHolidaysAbove(siteId)
  const siteHolidays = [...ownHolidays, ...(above.data ?? [])]
  const zone = site?.timeZone ?? viewerZone
  const schedule = { _id: '', account: '', name: '', windows, holidayHours }
  const days = nextDays({ schedule, holidays: siteHolidays, timeZone: zone, today: todayIn(zone, useMinute()) })

  return (
    <section aria-labelledby="next-days">
      <h3 id="next-days">{text('schedules.nextDays')}</h3>
      {seesSites && (
        <ReferencePicker
          of={sites}
          label={text('schedules.atSite')}
          placeholder={text('schedules.everySite')}
          value={siteId}
          onChange={setSite}
        />
      )}
      {site && <p className={styles.zone}>{text('schedules.inZone', { zone: zoneInWords(site.timeZone) })}</p>}
      {[list, above].map(
        ({ error, refetch }, at) => error && <ErrorNotice key={at} error={error} onRetry={() => void refetch()} />,
      )}
      <ol className={styles.days}>
        {days.map((day) => (
          <li key={day.date}>
            <span>{weekday(`${day.date}T12:00:00Z`, 'UTC')}</span>
            <span className={styles.lane} aria-hidden="true">
              {day.open.map(({ from, until }) => (
                <i
                  key={from}
                  style={{
                    insetInlineStart: `${(from / minutesADay) * 100}%`,
                    width: `${((until - from) / minutesADay) * 100}%`,
                  }}
                />
              ))}
            </span>
            <span className={styles.words}>{wordsOf(day)}</span>
          </li>
        ))}
      </ol>
      {above.data && above.data.length > 0 && <p className={styles.zone}>{text('schedules.holidaysAbove')}</p>}
    </section>
  )
}

/** The first site of the account, until another or none is selected. */
function useSelectedSite() {
  const [selected, setSite] = useState<string | null>()
  const seesSites = useCan('view', sites.subject)
  const first = useList(sites, { size: 1, sort: { prop: 'name', dir: 'asc' } }, { isEnabled: seesSites })
  const siteId = selected === undefined ? (first.data?.items[0]?._id ?? null) : selected
  const { data } = useItem(sites, siteId ?? undefined)
  return { seesSites, siteId, setSite, site: siteId === null ? undefined : data }
}

/** The holidays of a site that follows these calendars; without a site, all. */
function useHolidaysAt({ siteId, calendars }: { siteId: string | null; calendars: readonly string[] }) {
  const list = useList(holidays, { size: maxHolidays, sort: { prop: 'name', dir: 'asc' } })
  const all = list.data?.items ?? []
  const applies = (calendar: string | null) => siteId === null || calendar === null || calendars.includes(calendar)
  return { list, holidays: all.filter(({ calendar }) => applies(calendar)) }
}

/** Accounts above set them too, but their names are not shown here. */
function useHolidaysAbove(siteId: string | null) {
  const { ref, _id: account } = useAccount()
  const seesSites = useCan('view', sites.subject)
  return useQuery({
    queryKey: [...collectionKey(holidays, ref), 'above', siteId],
    queryFn: ({ signal }) => client.holidays.above(siteId === null ? {} : { site: siteId }, { signal }),
    select: (found) =>
      found.holidays.map((holiday, at) => ({
        ...holiday,
        _id: `above ${at}`,
        account,
        name: text('schedules.holidayAbove'),
        calendar: null,
      })),
    enabled: seesSites,
  })
}

function wordsOf({ open, holiday, change }: NextDay) {
  const hours =
    listOf(open.map(({ from, until }) => `${timeOfDay(timeAt(from))} – ${timeOfDay(timeAt(until))}`)) ||
    text('schedules.closed')
  return [hours, holiday, change && changeInWords(change)].filter((words) => words !== undefined).join(' · ')
}

/** `23 hours: the clocks skip 02:00 to 03:00` */
function changeInWords({ kind, from, until }: ClockChange) {
  const count = 24 + ((kind === 'skipped' ? -1 : 1) * (until - from)) / 60
  const [start, end] = [timeOfDay(timeAt(from)), timeOfDay(timeAt(until))]
  return text(`schedules.clocks.${kind}`, { count, hours: text('week.hours', { start, end }) })
}
