import { Group, Skeleton } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import type { Column } from '../list/data-table.tsx'
import { NameOf } from '../item/name-of.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { ScheduleTag } from '../commands/schedule-tag.tsx'
import { NoRoomTag } from '../commands/no-room-tag.tsx'
import { useHoldOf } from '../commands/use-hold-of.ts'
import { useRoomOf } from '../commands/use-room-of.ts'
import { UnlockOnce } from '../commands/unlock-once.tsx'
import { text } from '../text/text.ts'
import { DoorVerbs } from './door-verbs.tsx'
import { isWired } from './door-wiring.ts'
import { useMinute } from '../time/use-minute.ts'
import styles from './door-mode-tag.module.css'
import { modeSteps } from './mode-steps.ts'
import { useIsOffline } from './unit-status.ts'
import { UnlockedBySchedule } from './unlocked-by-schedule.tsx'

export type Door = EntityOf<typeof doors>

/** The doors of one site; `zone` is the site's. */
export function doorColumns(zone: string): Column<Door>[] {
  return [
    {
      key: 'name',
      sort: 'name',
      phone: 'title',
      fields: { name: text('doors.name'), directions: text('doors.directions') },
      cell: (door) => (
        <>
          {door.name}
          <span className="second">{directionText(door.directions)}</span>
        </>
      ),
    },
    {
      key: 'state',
      sort: 'state',
      phone: 'aside',
      width: '226px',
      fields: { state: text('doors.state'), stateAt: text('doors.stateAt'), enabled: text('doors.enabled') },
      cell: (door) => <DoorStateCell door={door} zone={zone} />,
    },
    {
      key: 'unit',
      phone: 'plain',
      fields: { unit: text('doors.unit'), unitDoor: text('doors.unitDoor') },
      cell: (door) =>
        door.unit && (
          <>
            <NameOf of={units} id={door.unit} />
            <span className="second">
              {door.unitDoor === null ? (
                <StateTag state="no_number" />
              ) : (
                text('doors.unitDoorShort', { number: door.unitDoor })
              )}
            </span>
          </>
        ),
    },
    {
      key: 'times',
      phone: 'hidden',
      width: '200px',
      fields: {
        relockAfterSeconds: text('doors.relockAfterSeconds'),
        heldOpenAfterSeconds: text('doors.heldOpenAfterSeconds'),
      },
      cell: (door) => (
        <>
          {text('doors.relockShort', { seconds: door.relockAfterSeconds })}
          <span className="second">{text('doors.heldShort', { seconds: door.heldOpenAfterSeconds })}</span>
        </>
      ),
    },
    {
      key: 'commands',
      phone: 'plain',
      width: '250px',
      cell: (door) =>
        isWired(door) && (
          <Group gap={6}>
            {door.enabled && <UnlockOnce door={door} size="xs" />}
            <DoorVerbs door={door} />
          </Group>
        ),
    },
  ]
}

export function directionText({ entry, exit }: Door['directions']) {
  if (entry && exit) return text('doors.bothReaders')
  if (exit) return text('doors.exitReader')
  return entry ? text('doors.entryReader') : text('doors.noReader')
}

/** The state of a door and its mode, where the controller has room for the door. */
export function DoorStateCell({ door, zone }: { door: Door; zone: string }) {
  const room = useRoomOf({ door: door._id, unit: door.unit })
  if (door.enabled && isClosed(door) && room === 'loading') return <Skeleton height={12} width="60%" />
  if (door.enabled && (room === 'lacking' || (room === 'unknown' && isClosed(door)))) return <NotOnUnit door={door} />
  return (
    <>
      <DoorStateTag door={door} />
      {/** A disabled door keeps its mode, and its controller confirms a lockdown of it as usual. */}
      <DoorModeTag door={door} zone={zone} />
      {door.enabled && door.stateAt && (
        <span className="second">
          <Time at={door.stateAt} zone={zone} as="relative" />
        </span>
      )}
    </>
  )
}

/** The same at a glance, without times, the worst first. */
export function DoorTags({ door }: { door: Door }) {
  const room = useRoomOf({ door: door._id, unit: door.unit })
  if (door.enabled && isClosed(door) && room === 'loading') return <Skeleton height={12} width={60} />
  if (door.enabled && (room === 'lacking' || (room === 'unknown' && isClosed(door)))) return <NotOnUnit door={door} />
  return <StatesAtAGlance door={door} />
}

function StatesAtAGlance({ door }: { door: Door }) {
  const mode = modeAt(door, useMinute().getTime())
  const isOffline = useIsOffline(door.unit)
  const isNormal = mode === 'normal' && modeSteps(door).isConfirmed
  const modeTag = isNormal ? <ScheduleTag door={door} /> : <ModeTag door={door} />
  if (door.enabled && isOffline) {
    return (
      <>
        {modeTag}
        <StateTag state="offline" />
        <StateTag state="unknown">{text(`state.${door.state}`)}</StateTag>
      </>
    )
  }
  const isAlarm = door.enabled && (door.state === 'forced' || door.state === 'held')
  const state = <StateTag state={door.enabled ? door.state : 'disabled'} />
  return (
    <>
      {isAlarm && state}
      {modeTag}
      {!isAlarm && state}
    </>
  )
}

/** A door that is, or may be, missing on its controller shows only what an operator must notice. */
function NotOnUnit({ door }: { door: Door }) {
  const mode = modeAt(door, useMinute().getTime())
  return (
    <>
      {!isClosed(door) && <DoorStateTag door={door} />}
      <NoRoomTag door={door} />
      {mode !== 'normal' && (
        <span className={styles.mode}>
          <ModeTag door={door} />
        </span>
      )}
    </>
  )
}

function isClosed({ state }: Door) {
  return state === 'closed' || state === 'unknown'
}

/** The state of a door, grey where its controller is offline. */
function DoorStateTag({ door }: { door: Door }) {
  const isOffline = useIsOffline(door.unit)
  if (!door.enabled) return <StateTag state="disabled" />
  if (!isOffline) return <StateTag state={door.state} />
  return (
    <>
      <StateTag state="unknown">{text(`state.${door.state}`)}</StateTag>
      <span className="second">{text('doors.lastKnown')}</span>
    </>
  )
}

/** The mode of a door, or the one that its controller has not confirmed yet. */
function ModeTag({ door }: { door: Door }) {
  const mode = modeAt(door, useMinute().getTime())
  if (!modeSteps(door).isConfirmed) return <StateTag state="waiting">{text(`doorModes.desired.${mode}`)}</StateTag>
  if (mode === 'unlocked') return <HoldTag door={door._id} />
  return mode !== 'normal' && <StateTag state={mode} />
}

function HoldTag({ door }: { door: string }) {
  const { state, note } = useHoldOf(door) ?? { state: 'unlocked' }
  return (
    <>
      <StateTag state={state} />
      {note && <span className="second">{note}</span>}
    </>
  )
}

/** The desired mode of a door apart from its schedule, its end and its progress; without one, whether its schedule unlocks it. */
function DoorModeTag({ door, zone }: { door: Door; zone: string }) {
  const mode = modeAt(door, useMinute().getTime())
  const step = modeSteps(door)
  if (mode === 'normal' && step.isConfirmed) return <UnlockedBySchedule door={door} zone={zone} />
  return (
    <span className={styles.mode}>
      <ModeTag door={door} />
      <span className="second">
        {mode !== 'normal' && door.modeUntil && (
          <>
            <TextWith of="doorModes.untilTime" values={{ time: <Time at={door.modeUntil} zone={zone} as="time" /> }} />
            {' · '}
          </>
        )}
        <TextWith
          of={`doorModes.${step.is}At`}
          values={{ time: <Time at={step.at} zone={zone} siteTime="onHover" as="time" /> }}
        />
        {!step.isConfirmed && ` · ${text('doorModes.noAnswer')}`}
      </span>
    </span>
  )
}
