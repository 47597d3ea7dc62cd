import { events } from '@portcullis/contract/collections/events'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { BarChart } from '../ui/bar-chart.tsx'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './day-chart.module.css'
import { hoursOfDay } from './hours-of-day.ts'
import { locale } from '../text/language.ts'

const dayMs = 24 * 3_600_000
const againMs = 60_000

/** Granted and denied events of a site in each of the last 24 hours, in the site's time. */
export function DayChart({ site }: { site: { _id: string; timeZone: string } }) {
  const { ref } = useAccount()
  const isOpen = useCan('view', 'Access Events')
  const counts = useQuery({
    queryKey: ['day-chart', ref, site._id],
    queryFn: async ({ signal }) => {
      const now = new Date()
      const since = new Date(now.getTime() - dayMs).toISOString()
      const { rows } = await client.of(events).aggregate(
        {
          filter: { site: site._id, category: 'access', occurredAt: { gte: since } },
          by: [{ field: 'occurredAt', bucket: 'hour' }, 'outcome'],
          timeZone: site.timeZone,
        },
        { signal },
      )
      return hoursOfDay(rows, now)
    },
    enabled: isOpen,
    refetchInterval: againMs,
  })
  if (!isOpen) return null
  const hourOf = hourIn(site.timeZone)

  return (
    <section className={styles.day} aria-labelledby="day">
      <h2 id="day">{text('events.day')}</h2>
      {counts.isPending && <Skeleton height={132} />}
      {counts.isError && <ErrorNotice error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.data && (
        <BarChart
          label={text('events.dayChart')}
          series={[
            { label: text('state.granted'), tone: 'ok' },
            { label: text('state.denied'), tone: 'no' },
          ]}
          bars={counts.data.map(({ start, granted, denied }, index) => ({
            key: start,
            name: hourOf(start),
            values: [granted, denied],
            ...(index % 4 === 0 ? { mark: hourOf(start) } : {}),
          }))}
        />
      )}
    </section>
  )
}

function hourIn(timeZone: string) {
  const format = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' })
  return (moment: string) => format.format(new Date(moment))
}
