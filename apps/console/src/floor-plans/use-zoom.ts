import { type PointerEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

const most = 8

/** Where the plan stays in place while the zoom changes: the share of the plan, and the position in the window. */
type Anchor = { shareX: number; shareY: number; x: number; y: number }

/** The zoom of a scrolled region, by buttons, the wheel and two fingers. 1 fits the screen. */
export function useZoom() {
  const [zoom, setZoom] = useState(1)
  const element = useRef<HTMLElement>(null)
  const anchor = useRef<Anchor>(undefined)

  /** Keeps the point under the pointer, or the middle, where it is. */
  const zoomAt = useCallback((factor: number, at?: { clientX: number; clientY: number }) => {
    const region = element.current
    if (!region) return
    const box = region.getBoundingClientRect()
    const [x, y] = at ? [at.clientX - box.left, at.clientY - box.top] : [box.width / 2, box.height / 2]
    const shareX = (region.scrollLeft + x) / region.scrollWidth
    const shareY = (region.scrollTop + y) / region.scrollHeight
    anchor.current = { shareX, shareY, x, y }
    setZoom((current) => Math.min(most, Math.max(1, current * factor)))
  }, [])

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- after each change of the zoom
  useLayoutEffect(() => {
    const [region, kept] = [element.current, anchor.current]
    if (!region || !kept) return
    region.scrollLeft = kept.shareX * region.scrollWidth - kept.x
    region.scrollTop = kept.shareY * region.scrollHeight - kept.y
    anchor.current = undefined
  }, [zoom])

  const viewport = useCallback(
    (region: HTMLElement) => {
      element.current = region
      return followGestures(region, zoomAt)
    },
    [zoomAt],
  )

  return {
    zoom,
    viewport,
    step: (factor: number) => zoomAt(factor),
    reset: () => setZoom(1),
    canEnlarge: zoom < most,
    canReduce: zoom > 1,
  }
}

type ZoomAt = (factor: number, at: { clientX: number; clientY: number }) => void

/** React adds these listeners as passive, which could not keep the page from scrolling. */
function followGestures(region: HTMLElement, zoomAt: ZoomAt) {
  let distance: number | undefined

  /** Without the focus, the wheel scrolls the page as everywhere else. */
  function onWheel(event: WheelEvent) {
    const isMeant = event.ctrlKey || event.metaKey || region.contains(document.activeElement)
    if (!isMeant) return
    event.preventDefault()
    zoomAt(Math.exp(-event.deltaY / 300), event)
  }

  function onTouch(event: TouchEvent) {
    const [one, other] = event.touches
    if (!one || !other) return (distance = undefined)
    event.preventDefault()
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
    const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }
    if (distance !== undefined) zoomAt(now / distance, middle)
    distance = now
  }

  const listening = new AbortController()
  const options = { passive: false, signal: listening.signal }
  region.addEventListener('wheel', onWheel, options)
  for (const type of ['touchstart', 'touchmove', 'touchend'] as const) region.addEventListener(type, onTouch, options)
  return () => listening.abort()
}

/** Moves a scrolled region with the mouse; fingers scroll it by themselves. */
export function usePan() {
  const held = useRef<{ x: number; y: number }>(undefined)

  function end() {
    held.current = undefined
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const isOnMarker = event.target instanceof Element && event.target.closest('button') !== null
      if (event.pointerType !== 'mouse' || event.button !== 0 || isOnMarker) return
      event.currentTarget.setPointerCapture(event.pointerId)
      held.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove({ currentTarget, clientX: x, clientY: y }: PointerEvent<HTMLElement>) {
      if (!held.current) return
      currentTarget.scrollBy(held.current.x - x, held.current.y - y)
      held.current = { x, y }
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
