import { events } from '@portcullis/contract/collections/events'
import { Link } from '@tanstack/react-router'
import { z } from 'zod'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { midnightOf } from './day-of.ts'
import styles from './refusals-tile.module.css'
import { AllWell } from './rows.tsx'
import { Tile } from './tile.tsx'
import { useTileQuery } from './use-announced.ts'

const first = 7

/** The reasons of today's denials, the most frequent first. */
export function RefusalsTile() {
  const { ref } = useAccount()
  const today = midnightOf(useMinute()).toISOString()
  const query = useTileQuery({
    of: events,
    what: `reasons of ${today}`,
    ask: (signal) => readReasons(signal, today),
    cost: 'costly',
  })
  const to = `/${ref}/events/list`
  return (
    <Tile title={text('dashboard.refusals')} query={query}>
      {(reasons) =>
        reasons.length === 0 ? <AllWell>{text('dashboard.noRefusals')}</AllWell> : <Reasons reasons={reasons} to={to} />
      }
    </Tile>
  )
}

function Reasons({ reasons, to }: { reasons: readonly Counted[]; to: string }) {
  const most = reasons[0]?.count ?? 1
  return (
    <ul className={styles.reasons}>
      {reasons.slice(0, first).map(({ reason, count }) => (
        <li key={reason}>
          <Link to={to} search={{ outcome: 'denied', reason }} className={styles.reason}>
            <span>{text(`reason.${reason}`)}</span>
            <b>{decimal.format(count)}</b>
            <i aria-hidden="true" style={{ width: `${(count / most) * 100}%` }} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const row = z.object({ reason: events.entitySchema.shape.reason, count: z.int() })
type Counted = { reason: NonNullable<z.output<typeof row>['reason']>; count: number }

async function readReasons(signal: AbortSignal, since: string): Promise<Counted[]> {
  const filter = { outcome: 'denied', occurredAt: { gte: since } }
  const { rows } = await client.of(events).aggregate({ filter, by: ['reason'] }, { signal })
  return z
    .array(row)
    .parse(rows)
    .flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]))
    .sort((a, b) => b.count - a.count)
}
