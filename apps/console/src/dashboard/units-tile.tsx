import { sites } from '@portcullis/contract/collections/sites'
import { unitFaults } from '@portcullis/contract/collections/units'
import { Link } from '@tanstack/react-router'
import { IconAlertTriangle } from '@tabler/icons-react'
import { NameOf } from '../item/name-of.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { UnitStateTag } from '../ui/unit-state-tag.tsx'
import { Time } from '../time/time.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type Figure, Figures } from './figures.tsx'
import { AllWell, MoreRows, Row, Rows } from './rows.tsx'
import { Tile } from './tile.tsx'
import { isOutOfStep, troubledUnits, type Unit } from './unit-troubles.ts'
import styles from './rows.module.css'
import { type CountedUnits, useUnitsNow } from './units-now.ts'

const first = 5

/** The controllers now; those with a fault by name, with their last heartbeat. */
export function UnitsTile() {
  const { ref } = useAccount()
  const query = useUnitsNow()
  const to = `/${ref}/units/list`
  return (
    <Tile title={text('dashboard.units')} aside={<Link to={to}>{text('dashboard.allUnits')}</Link>} query={query}>
      {(now) => <Units {...now} to={to} />}
    </Tile>
  )
}

type Now = NonNullable<ReturnType<typeof useUnitsNow>['data']>

function Units({ rows, units, total, full, to }: Now & { to: string }) {
  const figureOf = (status: Unit['status']): Figure => ({
    state: status,
    count: countOf(rows, (row) => row.inService && row.status === status),
    to,
    search: { status, inService: 'yes' },
  })
  const overCapacity: Figure = {
    state: 'too_much',
    count: full,
    to,
    search: { condition: 'capacityExceeded', inService: 'yes' },
  }
  const away = countOf(rows, (row) => !row.inService)
  const troubled = troubledUnits(units)
  const figures: Figure[] = [
    figureOf('offline'),
    { state: 'out_of_step', count: units.filter(isOutOfStep).length },
    ...(full > 0 ? [overCapacity] : []),
    figureOf('never_seen'),
    figureOf('online'),
  ]
  if (away > 0) figures.push({ state: 'out_of_service', count: away, to, search: { inService: 'no' } })
  const unseen = countOf(rows, (row) => row.inService && row.status !== 'online')
  const unlisted = Math.max(0, unseen - units.filter(({ status }) => status !== 'online').length)
  const hidden = troubled.length + unlisted - first
  return (
    <>
      <Figures label={text('dashboard.units')} figures={figures} />
      {troubled.length === 0 && (
        <AllWell>{text(rows.length > 0 ? 'dashboard.unitsWell' : 'dashboard.noUnits')}</AllWell>
      )}
      {troubled.length > 0 && (
        <Rows label={text('dashboard.troubledUnits')}>
          {troubled.slice(0, first).map(({ unit, trouble }) => (
            <Row
              key={unit._id}
              to={to}
              search={{ open: unit._id }}
              tag={<UnitStateTag unit={unit} state={trouble} />}
              name={unit.name}
              second={<NameOf of={sites} id={unit.site} />}
              when={<LastHeartbeat unit={unit} />}
            />
          ))}
        </Rows>
      )}
      <FaultNotes units={units} to={to} />
      {(hidden > 0 || total > units.length) && (
        <MoreRows>
          {hidden > 0
            ? text('dashboard.moreUnits', { count: hidden })
            : text('dashboard.stepOfFirst', { count: units.length })}
        </MoreRows>
      )}
    </>
  )
}

/** Why controllers have no current configuration, and what to do. */
function FaultNotes({ units, to }: Pick<Now, 'units'> & { to: string }) {
  return unitFaults.map((fault) => {
    const count = units.filter((unit) => unit.fault === fault).length
    if (count === 0) return null
    return (
      <p key={fault} className={styles.note}>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
        <span>
          {text(`dashboard.unitFaults.${fault}`, { count })}{' '}
          <Link to={to} search={{ fault }}>
            {text('dashboard.showUnits')}
          </Link>
        </span>
      </p>
    )
  })
}

function LastHeartbeat({ unit: { lastHeartbeatAt } }: { unit: Unit }) {
  if (lastHeartbeatAt === null) return text('units.never')
  return <TextWith of="dashboard.heard" values={{ time: <Time at={lastHeartbeatAt} as="relative" /> }} />
}

function countOf(rows: readonly CountedUnits[], isCounted: (row: CountedUnits) => boolean) {
  return rows.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
}
