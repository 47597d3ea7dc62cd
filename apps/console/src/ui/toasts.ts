import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  /** `note`: not caused by this user; shown for information. `warning`: done, but the user should know more. */
  tone: 'plain' | 'note' | 'warning' | 'refusal'
  text: string
  action?: { label: string; run: () => void }
  /** The action when the text is pressed. */
  press?: () => void
}

/** A toast with a button stays longer, so that users can reach it. */
const plainMs = 5_000
const actionMs = 12_000
const maxShown = 3

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()
const ends = new Map<number, ReturnType<typeof setTimeout>>()

/** Shows a message at the edge of the page for some seconds; returns a function that removes it. */
export function toast(content: Omit<Toast, 'id' | 'tone'> & { tone?: Toast['tone'] }): () => void {
  const id = nextId
  nextId += 1
  const one: Toast = { tone: 'plain', ...content, id }
  publish([...toasts, one].slice(-maxShown))
  endLater(id)
  return () => dismiss(id)
}

export function dismiss(id: number) {
  hold(id)
  publish(toasts.filter((one) => one.id !== id))
}

/** It stays while the pointer or the focus is on it. */
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

/** Toasts with an action; those without may be read to their end. */
export function dismissOffers() {
  for (const { id, action, press } of toasts) if (action || press) dismiss(id)
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts)
}

function publish(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
