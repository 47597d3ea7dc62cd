import type { DecideAccess } from '@portcullis/contract/calls/explorer'
import { clockMinutes, timeOfDay, weekday } from '../time/site-time.ts'
import { viewerZone } from '../time/time-text.ts'
import { text } from '../text/text.ts'
import { listOf } from '../text/catalogue.ts'
import { parseFindings } from '../why/finding-facts.ts'
import styles from './days-ahead.module.css'

type Day = DecideAccess['days'][number]
type Shown = { day: Day; at: string; timeZone: string }

/** When the door would admit the user in the next seven days: a lane for each day, midnight to midnight at the site. */
export function DaysAhead({ answer }: { answer: DecideAccess }) {
  return (
    <section className={styles.days} aria-labelledby="days">
      <h3 id="days">{text('explorer.days')}</h3>
      {hasNoRoom(answer) ? <p>{text('explorer.daysNoRoom')}</p> : <Days answer={answer} />}
    </section>
  )
}

/** Whether the door stays closed on all days only because something has no room on its controller, whatever the holidays. */
function hasNoRoom({ findings, days }: DecideAccess) {
  const refused = parseFindings(findings).filter(({ outcome }) => outcome === 'refused')
  return (
    refused.some(({ facts }) => facts.leftOut) &&
    refused.every(({ facts, reason }) => facts.leftOut || reason === 'outside_schedule') &&
    days.every(({ open }) => open.length === 0)
  )
}

function Days({ answer: { at, days, direction, door } }: { answer: DecideAccess }) {
  const timeZone = door.site.timeZone ?? viewerZone
  return (
    <>
      <p>{text('explorer.daysHint', { direction: text(`explorer.${direction}`).toLowerCase() })}</p>
      <div className={styles.row} aria-hidden="true">
        <span />
        <span className={styles.hours}>
          {['00', '06', '12', '18', '24'].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
      <ul>
        {days.map((day) => (
          <li key={day.date} className={styles.row}>
            <span className={styles.name}>{weekday(day.from, timeZone)}</span>
            <Lane day={day} at={at} timeZone={timeZone} />
            <span className={styles.words}>{wordsOf({ day, at, timeZone })}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Lane({ day, at }: Shown) {
  const from = Date.parse(day.from)
  const length = Date.parse(day.until) - from
  const percent = (moment: string) => `${((Date.parse(moment) - from) / length) * 100}%`
  return (
    <span className={styles.lane} aria-hidden="true">
      {day.open.map((span) => (
        <i
          key={span.from}
          style={{
            insetInlineStart: percent(span.from),
            insetInlineEnd: `${100 - Number.parseFloat(percent(span.until))}%`,
          }}
        />
      ))}
      {at >= day.from && at < day.until && <b style={{ insetInlineStart: percent(at) }} />}
    </span>
  )
}

function wordsOf({ day, timeZone }: Shown) {
  const hours = listOf(day.open.map((span) => hoursOf(span, { day, timeZone }))) || text('explorer.dayClosed')
  const holiday = listOf(day.holidays.map(({ name }) => name ?? text('explorer.theThing.holiday')))
  return holiday ? text('explorer.dayHoliday', { hours, holiday }) : hours
}

function hoursOf({ from, until }: Day['open'][number], { day, timeZone }: { day: Day; timeZone: string }) {
  if (from === day.from && until === day.until) return text('explorer.dayAll')
  const time = (moment: string) => clockMinutes(moment, timeZone)
  return text('explorer.dayOpen', { from: time(from), until: until === day.until ? timeOfDay('24:00') : time(until) })
}
