import { Link } from '@tanstack/react-router'
import { rangeValue } from '../list/filters/time-span.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { locale } from '../text/language.ts'
import { text } from '../text/text.ts'
import { duration } from '../time/site-time.ts'
import { Time } from '../time/time.tsx'
import { useMinute } from '../time/use-minute.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import styles from './connection-history.module.css'
import { type ConnectionSpan, connectionSpans, daysOf } from './connection-spans.ts'
import { useEventFeed } from './use-event-feed.ts'

const days = 7
const dayMs = 24 * 3_600_000
/** A shorter part of a day has no room for its label. */
const minLabelledMs = 0.55 * dayMs
const maxOutages = 5

/** When a controller was online in the last seven days: as a bar, and its latest outages in words. */
export function ConnectionHistory({ unit }: { unit: string }) {
  return useCan('view', 'Access Events') && <History unit={unit} />
}

function History({ unit }: { unit: string }) {
  const { ref } = useAccount()
  const now = useMinute()
  const filter = { unit, type: { in: ['unit.online', 'unit.offline'] } }
  const feed = useEventFeed({ filterAt: () => filter, now, isHeld: false })
  const until = Math.max(now.getTime(), ...feed.rows.slice(0, 1).map(({ occurredAt }) => Date.parse(occurredAt) + 1))
  const from = until - days * dayMs
  const spans = connectionSpans(feed.rows, { from, until })
  const outages = spans.filter(({ state }) => state === 'offline').toReversed()
  // The feed has the latest reports only.
  const [first, second] = spans
  const to: string = `/${ref}/events/list`
  const hidden = outages.length - maxOutages
  const isPart = feed.hasOlder && spans.some(({ state }) => state === 'unknown')

  function words() {
    if (spans.every(({ state }) => state === 'unknown')) return text('events.noConnection')
    if (outages.length === 0) return text('events.noOutages')
    return text(isPart ? 'events.outagesAtLeast' : 'events.outages', { count: outages.length })
  }

  function content() {
    if (!feed.isLoaded)
      return feed.error ? <ErrorNotice error={feed.error} onRetry={feed.retry} /> : <SkeletonRows count={2} />
    return (
      <>
        <Bar spans={spans} period={{ from, until }} />
        <p>
          {words()}
          {first?.state === 'unknown' && second && (
            <span className="soft">
              {' '}
              <TextWith
                of="events.unknownBefore"
                values={{ time: <Time at={new Date(second.from).toISOString()} /> }}
              />
            </span>
          )}
        </p>
        <ul className={styles.outages}>
          {outages.slice(0, maxOutages).map((outage) => (
            <Outage key={outage.from} outage={outage} isNow={outage.until === until} />
          ))}
        </ul>
        {hidden > 0 && (
          <Link
            to={to}
            search={{ unit, type: 'unit.offline', time: rangeValue({ from: new Date(from).toISOString() }) }}
          >
            {text('events.moreOutages', { count: hidden })}
          </Link>
        )}
      </>
    )
  }

  return (
    <section className={styles.history} aria-labelledby="connection">
      <h2 id="connection">{text('events.connection')}</h2>
      {content()}
    </section>
  )
}

/** The list below says the same in words. */
function Bar({ spans, period }: { spans: readonly ConnectionSpan[]; period: { from: number; until: number } }) {
  return (
    <div aria-hidden="true">
      <div className={styles.bar}>
        {spans.map(({ state, from, until }) => (
          <span
            key={from}
            data-state={state}
            ref={(span) => span?.style.setProperty('--share', String(until - from))}
          />
        ))}
      </div>
      <div className={styles.days}>
        {daysOf(period).map(({ from, until }) => (
          <span key={from} ref={(day) => day?.style.setProperty('--share', String(until - from))}>
            {until - from >= minLabelledMs && `${weekday.format(from)} ${dayOfMonth.format(from)}`}
          </span>
        ))}
      </div>
    </div>
  )
}

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const dayOfMonth = new Intl.DateTimeFormat(locale, { day: 'numeric' })

function Outage({ outage: { from, until }, isNow }: { outage: ConnectionSpan; isNow: boolean }) {
  return (
    <li>
      <StateTag state="offline" />
      <Time at={new Date(from).toISOString()} />
      <span className="soft">
        {isNow ? text('events.stillOffline') : text('events.outageFor', { time: duration(until - from) })}
      </span>
    </li>
  )
}
