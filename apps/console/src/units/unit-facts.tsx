import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import type { units } from '@portcullis/contract/collections/units'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NoRoomTag } from '../commands/no-room-tag.tsx'
import { NameOf } from '../item/name-of.tsx'
import { useList } from '../item/use-list.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { text } from '../text/text.ts'
import styles from './unit-facts.module.css'
import { DoorLink } from './door-link.tsx'
import { fillingsOf } from './unit-capacity.ts'
import { delayInWords, waitingInWords } from './unit-delay.ts'
import { conditionsOf, UnitConditions } from './unit-conditions.tsx'
import { UnitFillings } from './unit-fillings.tsx'
import { unitState, unitStep } from './unit-step.ts'

type Props = {
  unit: EntityOf<typeof units>
  /** On the controller's page, which shows its doors below. */
  isOnPage?: boolean
  children?: ReactNode
}

const tolerableClockMs = 2_000

/** The data that a controller reports about itself; `children` shows its commands below. */
export function UnitFacts({ unit, isOnPage, children }: Props) {
  const isOffline = unit.status === 'offline'
  return (
    <section className={styles.facts} aria-label={text('units.about')}>
      <dl>
        <Fact label={text('units.status')}>
          <StateTag state={unitState(unit)} />
          {unit.lastHeartbeatAt && (
            <span className="soft">
              <TextWith of="units.heartbeatAt" values={{ time: <Time at={unit.lastHeartbeatAt} as="relative" /> }} />
            </span>
          )}
        </Fact>
        <Conditions unit={unit} />
        <Fact label={text('units.configuration')}>
          <Configuration unit={unit} />
        </Fact>
        {isOnPage && <Identity unit={unit} />}
        <Fact label={text('units.enrolled')}>
          {unit.enrolledAt ? <Time at={unit.enrolledAt} /> : text('units.notEnrolled')}
        </Fact>
        {unit.firmware && <Fact label={text('units.firmware')}>{unit.firmware}</Fact>}
        {unit.address && <Fact label={text('units.address')}>{unit.address}</Fact>}
        {!isOffline && <Reported unit={unit} />}
        {fillingsOf(unit).length > 0 && (
          <Fact label={text('units.capacity')}>
            <UnitFillings unit={unit} />
          </Fact>
        )}
        {!isOnPage && <UnitDoors unit={unit._id} />}
      </dl>
      {isOffline && unit.lastHeartbeatAt && (
        <>
          <h3>
            <TextWith of="units.lastReported" values={{ time: <Time at={unit.lastHeartbeatAt} /> }} />
          </h3>
          <dl>
            <Reported unit={unit} />
          </dl>
        </>
      )}
      {!isOnPage && <PageLink unit={unit._id} />}
      {children}
    </section>
  )
}

/** That it is over capacity is shown among the conditions. */
function Configuration({ unit }: Pick<Props, 'unit'>) {
  const { state, words } = unitStep(unit)
  return (
    <>
      {state !== 'too_much' && <StateTag state={state} />}
      <span className="soft">{words}</span>
    </>
  )
}

function Conditions({ unit }: Pick<Props, 'unit'>) {
  if (conditionsOf(unit).length === 0) return null
  return (
    <Fact label={text('units.conditions')}>
      <UnitConditions unit={unit} />
    </Fact>
  )
}

/** The fields that the drawer has in its form. */
function Identity({ unit: { serial, model, site } }: Pick<Props, 'unit'>) {
  const { ref } = useAccount()
  const to: string = `/${ref}/sites/${site}`
  const seesSites = useCan('view', sites.subject)
  const name = <NameOf of={sites} id={site} />
  return (
    <>
      <Fact label={text('units.serial')}>{serial}</Fact>
      {model && <Fact label={text('units.model')}>{model}</Fact>}
      <Fact label={text('units.site')}>{site && seesSites ? <Link to={to}>{name}</Link> : name}</Fact>
    </>
  )
}

function PageLink({ unit }: { unit: string }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/units/${unit}`
  return (
    <p>
      <Link to={to}>{text('unitPage.open')}</Link>
    </p>
  )
}

/** The data of its latest heartbeats. */
function Reported({ unit }: Pick<Props, 'unit'>) {
  const delay = delayInWords(unit)
  const waiting = waitingInWords(unit)
  return (
    <>
      {unit.clockOffsetMs !== null && <Fact label={text('units.clock')}>{clockText(unit.clockOffsetMs)}</Fact>}
      {unit.lastHeartbeatAt && (
        <Fact label={text('units.delay')}>
          <span title={text('units.delayHint')}>{delay ?? text('units.delayNone')}</span>
          {waiting && <span className="soft">{waiting}</span>}
          {unit.backfilledUpTo && (
            <span className="soft">
              <TextWith of="units.backfilling" values={{ time: <Time at={unit.backfilledUpTo} /> }} />
            </span>
          )}
        </Fact>
      )}
    </>
  )
}

/** The doors wired to it. */
function UnitDoors({ unit }: { unit: string }) {
  const { data } = useList(
    doors,
    { filter: { unit }, sort: { prop: 'name', dir: 'asc' }, size: 100 },
    { isEnabled: useCan('view', doors.subject) },
  )
  if (!data || data.items.length === 0) return null
  return (
    <Fact label={text('doors.title')}>
      <ul className={styles.doors}>
        {data.items.map((door) => (
          <li key={door._id}>
            <DoorLink door={door} />
            <NoRoomTag door={door} />
          </li>
        ))}
      </ul>
    </Fact>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function clockText(offsetMs: number) {
  if (Math.abs(offsetMs) < tolerableClockMs) return text('units.clockRight')
  return text('units.clockOff', { seconds: Math.round(offsetMs / 1_000) })
}
