import { IconCpu, IconDoor } from '@tabler/icons-react'
import type { Placement } from '@portcullis/contract/collections/floor-plans'
import type { KeyboardEvent, PointerEventHandler } from 'react'
import { text } from '../text/text.ts'
import styles from './floor-plan-editor.module.css'
import { positionOf } from './plan-marker.tsx'

export type Dragging = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
  PointerEventHandler<HTMLElement>
>

type Props = {
  name: string
  placement: Placement
  dragging: Dragging
  onKey: (event: KeyboardEvent) => void
}

/** An item on a plan that is edited: dragged, or moved by the arrow keys. */
export function EditedMarker({ name, placement, dragging, onKey }: Props) {
  const Icon = placement.kind === 'Door' ? IconDoor : IconCpu
  return (
    <button
      type="button"
      className={styles.marker}
      style={positionOf(placement)}
      aria-label={text('floorPlans.move', { name })}
      data-placed={placement.id}
      onKeyDown={onKey}
      {...dragging}
    >
      <Icon size={14} aria-hidden="true" />
      <bdi>{name}</bdi>
    </button>
  )
}
