import { IconCpu, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { type ComponentType, memo, type CSSProperties } from 'react'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import styles from './plan-marker.module.css'
import type { Door, Unit } from './use-placed.ts'

/** The position on the plan, as custom properties of the style sheet. */
export function positionOf({ x, y }: { x: number; y: number }): CSSProperties {
  return { left: `${x * 100}%`, top: `${y * 100}%` }
}

type DoorMarkerProps = {
  door: Door
  x: number
  y: number
  DoorTags: ComponentType<{ door: Door }>
  onOpen: (id: string) => void
}

/** A door on a plan with its current state. It renders again only when this door has changed. */
export const DoorMarker = memo(function DoorMarker({ door, x, y, DoorTags, onOpen }: DoorMarkerProps) {
  return (
    <button type="button" className={styles.marker} style={positionOf({ x, y })} onClick={() => onOpen(door._id)}>
      <span className={styles.name}>
        <bdi>{door.name}</bdi>
        <Readers directions={door.directions} />
      </span>
      <span className={styles.tags}>
        <DoorTags door={door} />
      </span>
    </button>
  )
})

/** The readers at a door. */
export function Readers({ directions: { entry, exit } }: Pick<Door, 'directions'>) {
  return (
    <>
      {entry && <IconLogin2 size={13} role="img" aria-label={text('doors.entryReader')} />}
      {exit && <IconLogout2 size={13} role="img" aria-label={text('doors.exitReader')} />}
    </>
  )
}

type UnitMarkerProps = { unit: Unit; x: number; y: number; onOpen: (id: string) => void }

/** A controller on a plan with its current status. */
export const UnitMarker = memo(function UnitMarker({ unit, x, y, onOpen }: UnitMarkerProps) {
  return (
    <button type="button" className={styles.marker} style={positionOf({ x, y })} onClick={() => onOpen(unit._id)}>
      <span className={styles.name}>
        <IconCpu size={13} role="img" aria-label={text('units.one')} />
        <bdi>{unit.name}</bdi>
      </span>
      <span className={styles.tags}>
        <StateTag state={unit.status} />
      </span>
    </button>
  )
})
