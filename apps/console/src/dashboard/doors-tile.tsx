import { maxUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { doors } from '@portcullis/contract/collections/doors'
import { Link, useSearch } from '@tanstack/react-router'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import {
  countDoors,
  type DoorFigure,
  doorFigure,
  doorFigures,
  doorsOf,
  scheduledDoors,
  type UnlockHours,
  unusualDoors,
  unusualFirst,
} from './door-figures.ts'
import { DoorRows } from './door-rows.tsx'
import { Figures } from './figures.tsx'
import { AllWell } from './rows.tsx'
import { Tile } from './tile.tsx'
import { useTileQuery } from './use-announced.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import styles from './rows.module.css'
import { countDoorsWithoutRoom } from './unit-troubles.ts'
import { useUnitsNow } from './units-now.ts'

const maxListed = 100
/** Also shown when it is zero; the others only above zero. */
const always: readonly DoorFigure[] = ['forced', 'held', 'open', 'closed']

/** The doors now; unusual ones by name, or those of the selected figure. */
export function DoorsTile() {
  const { ref } = useAccount()
  const query = useTileQuery({ of: doors, what: 'now', ask: readDoors })
  return (
    <Tile
      title={text('dashboard.doors')}
      aside={
        <Link to="/$account/sites" params={{ account: ref }}>
          {text('dashboard.allSites')}
        </Link>
      }
      query={query}
    >
      {(now) => <Doors {...now} />}
    </Tile>
  )
}

type Now = Awaited<ReturnType<typeof readDoors>>

function Doors({ rows, doors, doorTotal, scheduled, hours }: Now) {
  const at = useMinute().getTime()
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const counts = countDoors({ rows, doors: [...doors, ...scheduled], hours, at })
  const chosen = doorFigures.find((figure) => figure === search['doors'])
  const shown = doorFigures.filter(
    (figure) => figure !== 'disabled' && (always.includes(figure) || (counts.get(figure) ?? 0) > 0),
  )
  const unusual = unusualFirst(doors, { at })
  const seesUnits = useCan('view', 'Controllers')
  return (
    <>
      <Figures
        label={text('dashboard.doors')}
        figures={shown.map((figure) => ({
          state: figure,
          count: counts.get(figure) ?? 0,
          to: '.',
          search: { ...search, doors: figure === chosen ? undefined : figure },
          isOn: figure === chosen,
        }))}
      />
      {chosen && <DoorsOfFigure key={chosen} figure={chosen} hours={hours} />}
      {!chosen && unusual.length === 0 && (
        <AllWell>{text(counts.size > 0 && total(counts) > 0 ? 'dashboard.doorsWell' : 'dashboard.noDoors')}</AllWell>
      )}
      {!chosen && unusual.length > 0 && (
        <DoorRows
          label={text('dashboard.unusualDoors')}
          rows={unusual}
          unread={Math.max(0, doorTotal - doors.length)}
        />
      )}
      {seesUnits && <SilentDoors />}
      {seesUnits && <DoorsWithoutRoom />}
    </>
  )
}

async function readDoors(signal: AbortSignal) {
  const [{ rows }, { items, page }, { items: scheduled }] = await Promise.all([
    client.of(doors).aggregate({ by: ['state', 'mode', 'enabled'] }, { signal }),
    client.of(doors).list({ filter: unusualDoors, size: maxListed }, { signal }),
    client.of(doors).list({ filter: scheduledDoors, size: maxUnlockHours }, { signal }),
  ])
  const ids = scheduled.map(({ _id }) => _id)
  const found = ids.length > 0 ? (await client.doorUnlockHours(ids, { signal })).doors : []
  const hours: UnlockHours = new Map(found.map((each) => [each._id, each]))
  return { rows, doors: items, doorTotal: page.totalElements, scheduled, hours }
}

function total(counts: ReadonlyMap<DoorFigure, number>) {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/** The doors that a figure counts, by name. */
function DoorsOfFigure({ figure, hours }: { figure: DoorFigure; hours: UnlockHours }) {
  const at = useMinute().getTime()
  const query = useTileQuery({
    of: doors,
    what: figure,
    ask: (signal) =>
      client.of(doors).list({ filter: doorsOf(figure), sort: { prop: 'name', dir: 'asc' }, size: 100 }, { signal }),
  })
  if (query.isPending) return <SkeletonRows count={3} />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  const { items, page } = query.data
  const rows = items.filter((door) => doorFigure(door, { at, hours }) === figure).map((door) => ({ door, figure }))
  if (rows.length === 0) return <AllWell>{text('dashboard.noSuchDoor')}</AllWell>
  return (
    <DoorRows
      label={text('dashboard.doorsOf', { state: text(`dashboard.figures.${figure}`) })}
      rows={rows}
      unread={Math.max(0, page.totalElements - items.length)}
    />
  )
}

/** How many doors show their last known state because their controller is offline. */
function SilentDoors() {
  const units = useUnitsNow().data?.units ?? []
  const silent = units.filter(({ inService, status }) => inService && status === 'offline').map(({ _id }) => _id)
  const query = useTileQuery({
    of: doors,
    what: `behind ${silent.join()}`,
    ask: (signal) => client.of(doors).count({ filter: { enabled: true, unit: { in: silent } } }, { signal }),
    isEnabled: silent.length > 0,
  })
  const count = query.data?.count ?? 0
  if (silent.length === 0 || count === 0) return null
  return (
    <p className={styles.note}>
      <IconPlugConnectedX size={16} stroke={1.8} aria-hidden="true" />
      {text('dashboard.silentDoors', { count })}
    </p>
  )
}

/** How many doors are counted above by their last state, but are not on their controllers. */
function DoorsWithoutRoom() {
  const { ref } = useAccount()
  const to: string = `/${ref}/units/list`
  const count = countDoorsWithoutRoom(useUnitsNow().data?.units ?? [])
  if (count === 0) return null
  return (
    <p className={styles.note}>
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
      <span>
        {text('dashboard.doorsWithoutRoom', { count })}{' '}
        <Link to={to} search={{ condition: 'capacityExceeded', inService: 'yes' }}>
          {text('dashboard.showUnits')}
        </Link>
      </span>
    </p>
  )
}
