import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  /** `note`: nobody did it here; it is said so that they know. */
  tone: 'plain' | 'note' | 'refusal'
  text: string
  action?: { label: string; run: () => void }
  /** What pressing its words does. */
  press?: () => void
}

/** What may be pressed needs time to be reached. */
const plainMs = 5_000
const actionMs = 12_000
const mostShown = 3

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()
const ends = new Map<number, ReturnType<typeof setTimeout>>()

/** Says something in passing, at the edge of the page, for some seconds; answers what takes it away again. */
export function toast(said: Omit<Toast, 'id' | 'tone'> & { tone?: Toast['tone'] }): () => void {
  const id = nextId
  nextId += 1
  const one: Toast = { tone: 'plain', ...said, id }
  tell([...toasts, one].slice(-mostShown))
  endLater(id)
  return () => dismiss(id)
}

export function dismiss(id: number) {
  hold(id)
  tell(toasts.filter((one) => one.id !== id))
}

/** As long as somebody points at it or has the focus in it, it stays. */
export function hold(id: number) {
  clearTimeout(ends.get(id))
  ends.delete(id)
}

export function endLater(id: number) {
  const one = toasts.find((each) => each.id === id)
  if (!one) return
  hold(id)
  ends.set(
    id,
    setTimeout(() => dismiss(id), one.action || one.press ? actionMs : plainMs),
  )
}

/** Those that offer something; what was only said may be read to its end. */
export function dismissOffers() {
  for (const { id, action, press } of toasts) if (action || press) dismiss(id)
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts)
}

function tell(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
