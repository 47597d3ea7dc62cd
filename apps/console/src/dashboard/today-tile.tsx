import { events } from '@portcullis/contract/collections/events'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { StateTag } from '../ui/state-tag.tsx'
import { viewerZone } from '../time/time-text.ts'
import { BarChart } from '../ui/bar-chart.tsx'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { midnightOf, weekdayInWords } from './day-of.ts'
import { type Day, hoursToday } from './hours-today.ts'
import { Tile } from './tile.tsx'
import styles from './today-tile.module.css'
import { useTileQuery } from './use-announced.ts'
import { locale } from '../text/language.ts'

const weeks = 4
const usualForMs = 3_600_000

/** Granted and denied events today, hour by hour, compared with the usual for such a day. */
export function TodayTile() {
  const { ref } = useAccount()
  const now = useMinute()
  const today = midnightOf(now).toISOString()
  const query = useTileQuery({
    of: events,
    what: `hours of ${today}`,
    ask: (signal) => readHours(signal, { gte: today }),
  })
  const usual = useQuery({
    queryKey: ['usual hours', ref, today],
    queryFn: ({ signal }) => readHours(signal, { gte: midnightOf(now, -7 * weeks).toISOString(), lt: today }),
    staleTime: usualForMs,
  })
  const to = `/${ref}/events/list`
  return (
    <Tile title={text('dashboard.today')} aside={<Link to={to}>{text('dashboard.allEvents')}</Link>} query={query}>
      {(rows) => <Hours day={hoursToday({ today: rows, before: usual.data ?? [], now })} to={to} now={now} />}
    </Tile>
  )
}

const outcomes = [
  { outcome: 'granted', tone: 'ok', size: 'usual' },
  { outcome: 'denied', tone: 'no', size: 'low' },
] as const

function Hours({ day, to, now }: { day: Day; to: string; now: Date }) {
  return (
    <div className={styles.charts}>
      {outcomes.map(({ outcome, tone, size }) => (
        <div key={outcome}>
          <p className={styles.sum}>
            <Link to={to} search={{ outcome }}>
              <b>{decimal.format(day.soFar[outcome])}</b>
              <StateTag state={outcome} />
            </Link>
            {day.usualSoFar && (
              <span className="soft">
                {text('dashboard.usually', {
                  count: Math.round(day.usualSoFar[outcome]),
                  weekday: weekdayInWords(now),
                })}
              </span>
            )}
          </p>
          <BarChart
            label={text(`dashboard.chart.${outcome}`)}
            size={size}
            series={[{ label: text(`state.${outcome}`), tone }]}
            expected={text('dashboard.usual', { weekday: weekdayInWords(now) })}
            bars={day.hours.map(({ start, usual, ...counts }, index) => ({
              key: start,
              name: clock.format(new Date(start)),
              values: [counts[outcome]],
              ...(usual ? { expected: usual[outcome] } : {}),
              ...(index % 4 === 0 ? { mark: clock.format(new Date(start)) } : {}),
            }))}
          />
        </div>
      ))}
    </div>
  )
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })

/** By type and hour: these totals are stored, however many events there are. */
async function readHours(signal: AbortSignal, occurredAt: { gte: string; lt?: string }) {
  const { rows } = await client.of(events).aggregate(
    {
      filter: { type: { in: ['access.granted', 'access.denied'] }, occurredAt },
      by: [{ field: 'occurredAt', bucket: 'hour' }, 'type'],
      timeZone: viewerZone,
    },
    { signal },
  )
  return rows
}
