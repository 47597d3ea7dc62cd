import type { Placement } from '@portcullis/contract/collections/floor-plans'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'

type Item = Pick<Placement, 'kind' | 'id'>
type Place = Pick<Placement, 'x' | 'y'>

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Steps of the keyboard, as shares of the plan. */
const step = { wide: 0.01, fine: 0.001 } as const

/** The places of items while a plan is edited, by mouse, touch and keyboard. */
export function usePlacing(initial: readonly Placement[], sheet: RefObject<HTMLElement | null>) {
  const [placements, setPlacements] = useState(initial)
  const dragged = useRef<Item & { wasPlaced: boolean }>(undefined)

  function place({ kind, id }: Item, { x, y }: Place) {
    const next = { kind, id, x: rounded(x), y: rounded(y) }
    setPlacements((current) =>
      current.some((each) => each.id === id)
        ? current.map((each) => (each.id === id ? next : each))
        : [...current, next],
    )
    return next
  }

  function remove(id: string) {
    setPlacements((current) => current.filter((each) => each.id !== id))
  }

  /** Where a pointer is on the plan; undefined beside it. */
  function placeAt({ clientX, clientY }: { clientX: number; clientY: number }): Place | undefined {
    const box = sheet.current?.getBoundingClientRect()
    if (!box || box.width === 0) return undefined
    const place = { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
    return place.x < 0 || place.x > 1 || place.y < 0 || place.y > 1 ? undefined : place
  }

  /** For an item on the plan or in the list: dragged beside the plan, a new one is not placed. */
  function dragging(item: Item) {
    return {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { ...item, wasPlaced: placements.some(({ id }) => id === item.id) }
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (dragged.current?.id !== item.id) return
        const at = placeAt(event)
        if (at) place(item, at)
        else if (!dragged.current.wasPlaced) remove(item.id)
      },
      onPointerUp: end,
      onPointerCancel: end,
    }
  }

  function end() {
    dragged.current = undefined
  }

  /** Moves a placed item by the arrow keys; returns its new place. */
  function moveByKey(item: Placement, event: KeyboardEvent): Placement | undefined {
    const [right, down] = directions[event.key] ?? []
    if (right === undefined || down === undefined) return undefined
    event.preventDefault()
    const by = event.shiftKey ? step.fine : step.wide
    return place(item, { x: item.x + right * by, y: item.y + down * by })
  }

  return { placements, setPlacements, place, remove, dragging, moveByKey }
}

/** A tenth of a percent, on the plan. */
function rounded(share: number) {
  return Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 1_000
}
