import type { EntityOf } from '@portcullis/contract/collection'
import { events } from '@portcullis/contract/collections/events'
import { Link } from '@tanstack/react-router'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { denialText } from '../why/note-text.ts'
import { text } from '../text/text.ts'
import { AllWell, Row, Rows } from './rows.tsx'
import { Tile } from './tile.tsx'
import { useTileQuery } from './use-announced.ts'

type Event = EntityOf<typeof events>

const looks = {
  'access.denied': 'denied',
  'door.forced': 'forced',
  'door.held': 'held',
  'unit.tamper': 'tampered',
  'unit.offline': 'offline',
  'unit.on_battery': 'on_battery',
  'unit.capacity_exceeded': 'too_much',
  'unit.out_of_sync': 'out_of_step',
  'unit.clock_wrong': 'clock_wrong',
  'unit.sync_failed': 'rejected',
  'unit.log_gap': 'out_of_step',
  'unit.refused': 'refused',
} as const satisfies Partial<Record<Event['type'], State>>

const types = Object.keys(looks)
const first = 6
const dayMs = 24 * 3_600_000

/** Alarms of the last 24 hours, the latest first; each links to its reason. */
export function AlarmsTile() {
  const { ref } = useAccount()
  const query = useTileQuery({ of: events, what: 'alarms', ask: readAlarms })
  const to = `/${ref}/events/list`
  const search = { type: types.join(','), time: '24h' }
  return (
    <Tile
      title={text('dashboard.alarms')}
      aside={
        query.data !== undefined &&
        query.data.total > 0 && (
          <Link to={to} search={search}>
            {text('dashboard.allAlarms', { count: query.data.total })}
          </Link>
        )
      }
      query={query}
    >
      {({ alarms }) =>
        alarms.length === 0 ? (
          <AllWell>{text('dashboard.noAlarms')}</AllWell>
        ) : (
          <Rows label={text('dashboard.alarms')} shape="table">
            {alarms.map((event) => (
              <Row
                key={event._id}
                to={to}
                search={event.type === 'access.granted' ? { event: event._id } : { ...search, event: event._id }}
                tag={<StateTag state={lookOf(event)}>{whatOf(event)}</StateTag>}
                name={aboutWhat(event)}
                second={whyAndWhere(event)}
                when={<Time at={event.occurredAt} zone={event.data.names.timeZone} siteTime="below" as="relative" />}
              />
            ))}
          </Rows>
        )
      }
    </Tile>
  )
}

async function readAlarms(signal: AbortSignal) {
  const since = new Date(Date.now() - dayMs).toISOString()
  const isReported = { type: 'access.granted', severity: { in: ['alarm', 'warning'] } }
  const filter = { or: [{ type: { in: types } }, isReported], occurredAt: { gte: since } }
  const { items, page } = await client.of(events).list({ filter, size: first }, { signal })
  return { alarms: items, total: page.totalElements }
}

function lookOf({ type, severity }: Event): State {
  if (severity === 'alarm') return 'forced'
  if (type === 'access.granted') return 'held'
  return Object.entries(looks).find(([key]) => key === type)?.[1] ?? 'unknown'
}

/** What happened; of a duress PIN and of a grant that is reported, why. */
function whatOf({ type, data: { note } }: Event) {
  if (note?.code === 'duress') return text('dashboard.duress')
  return text(type === 'access.granted' ? 'reason.antipassback' : `events.types.${type}`)
}

/** The user or item concerned. */
function aboutWhat({ category, data: { names, number } }: Event) {
  if (category !== 'access') return names.door ?? names.unit ?? '–'
  return names.user ?? (number ? text('dashboard.unknownCard', { number }) : text('events.unknownCard'))
}

/** Why a user was denied, and where. */
function whyAndWhere({ category, reason, data }: Event) {
  const { names } = data
  const why = reason === null ? undefined : denialText({ reason, data })
  return [why, category === 'access' ? names.door : undefined, names.site].filter((part) => part).join(' · ')
}
