import { IconCpu, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { type ComponentType, memo, type CSSProperties, type ReactNode } from 'react'
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
    <MarkerButton x={x} y={y} onPress={() => onOpen(door._id)} tags={<DoorTags door={door} />}>
      <bdi>{door.name}</bdi>
      <Readers directions={door.directions} />
    </MarkerButton>
  )
})

type MarkerButtonProps = { x: number; y: number; onPress: () => void; tags: ReactNode; children: ReactNode }

function MarkerButton({ x, y, onPress, tags, children }: MarkerButtonProps) {
  return (
    <button type="button" className={styles.marker} style={positionOf({ x, y })} onClick={onPress}>
      <span className={styles.name}>{children}</span>
      <span className={styles.tags}>{tags}</span>
    </button>
  )
}

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
    <MarkerButton x={x} y={y} onPress={() => onOpen(unit._id)} tags={<StateTag state={unit.status} />}>
      <IconCpu size={13} role="img" aria-label={text('units.one')} />
      <bdi>{unit.name}</bdi>
    </MarkerButton>
  )
})
