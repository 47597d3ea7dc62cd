import { useEventListener } from '@mantine/hooks'
import { type PointerEvent, useRef } from 'react'
import type { Point } from './map-view.ts'

type Gestures = {
  onMove: (by: Point) => void
  onZoom: (zoom: { factor: number; at: Point }) => void
  onPress: (at: Point) => void
}

/** A pointer that moves less presses. */
const pressPx = 5
const wheelFactor = 1.0015

/** Dragging moves a map, two fingers and the wheel with Ctrl zoom it, so that the page still scrolls. */
export function useMapPointers({ onMove, onZoom, onPress }: Gestures) {
  const pointers = useRef(new Map<number, Point>())
  const movedPx = useRef(0)

  function onPointerDown(event: PointerEvent) {
    if (isOnMarker(event.target)) return
    event.currentTarget.setPointerCapture?.(event.pointerId)
    if (pointers.current.size === 0) movedPx.current = 0
    pointers.current.set(event.pointerId, placeOf(event))
  }

  function onPointerMove(event: PointerEvent) {
    const from = pointers.current.get(event.pointerId)
    if (!from) return
    const to = placeOf(event)
    const [other] = [...pointers.current].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]))
    pointers.current.set(event.pointerId, to)
    movedPx.current += distance(from, to)
    if (other) {
      const factor = distance(other, to) / Math.max(1, distance(other, from))
      onZoom({ factor, at: { x: (other.x + to.x) / 2, y: (other.y + to.y) / 2 } })
    } else if (movedPx.current > pressPx) onMove({ x: to.x - from.x, y: to.y - from.y })
  }

  function onPointerUp(event: PointerEvent) {
    const isLast = pointers.current.delete(event.pointerId) && pointers.current.size === 0
    if (isLast && movedPx.current <= pressPx) onPress(placeOf(event))
  }

  function onPointerCancel({ pointerId }: PointerEvent) {
    pointers.current.delete(pointerId)
    movedPx.current = Number.POSITIVE_INFINITY
  }

  // React's own listeners cannot keep the browser from zooming the page.
  const wheelRef = useEventListener(
    'wheel',
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || !(event.currentTarget instanceof Element)) return
      event.preventDefault()
      const { currentTarget, clientX, clientY } = event
      onZoom({ factor: wheelFactor ** -event.deltaY, at: placeOf({ currentTarget, clientX, clientY }) })
    },
    { passive: false },
  )

  return { wheelRef, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } }
}

function isOnMarker(target: EventTarget) {
  return target instanceof Element && target.closest('a, button') !== null
}

function placeOf({ currentTarget, clientX, clientY }: { currentTarget: Element; clientX: number; clientY: number }) {
  const { left, top } = currentTarget.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

function distance(a: Point, b: Point) {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
