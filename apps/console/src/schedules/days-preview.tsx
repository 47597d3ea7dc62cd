import { holidays } from '@portcullis/contract/collections/holidays'
import { sites } from '@portcullis/contract/collections/sites'
import { useState } from 'react'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { viewerZone } from '../time/time-text.ts'
import { useItem } from '../item/use-item.ts'
import { useList } from '../item/use-list.ts'
import { useMinute } from '../time/use-minute.ts'
import { minutesADay } from '../time/week-lanes.ts'
import { timeOfDay, weekday } from '../time/site-time.ts'
import { useCan } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import styles from './days-preview.module.css'
import type { WritableWindow } from './draw-week.ts'
import { type NextDay, nextDays, todayIn } from './next-days.ts'
import { timeAt } from '../time/clock-of.ts'

type Hours = 'closed' | 'asUsual' | { start: string; end: string }[]
type Props = { windows: WritableWindow[]; holidayHours: Record<'public' | 'company' | 'special', Hours> }

const maxHolidays = 500

/** The next 14 days by the schedule in the form, holidays included, at a site that may be selected. */
export function DaysPreview({ windows, holidayHours }: Props) {
  const [siteId, setSite] = useState<string | null>(null)
  const site = useItem(sites, siteId ?? undefined)
  const seesSites = useCan('view', sites.subject)
  const list = useList(holidays, { size: maxHolidays, sort: { prop: 'name', dir: 'asc' } })
  const calendars = (siteId !== null && site.data?.calendars) || []
  const zone = (siteId !== null && site.data?.timeZone) || viewerZone
  const siteHolidays = (list.data?.items ?? []).filter(
    ({ calendar }) => calendar === null || calendars.includes(calendar),
  )
  const schedule = { _id: '', account: '', name: '', windows, holidayHours }
  const days = nextDays({ schedule, holidays: siteHolidays, today: todayIn(zone, useMinute()) })

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
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
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
    </section>
  )
}

function wordsOf({ open, holiday }: NextDay) {
  const hours =
    listOf(open.map(({ from, until }) => `${timeOfDay(timeAt(from))} – ${timeOfDay(timeAt(until))}`)) ||
    text('schedules.closed')
  return holiday === undefined ? hours : `${hours} · ${holiday}`
}
