import { useSyncExternalStore } from 'react'
import { z } from 'zod'

const schema = z.object({ isCollapsed: z.boolean(), closedGroups: z.array(z.string()) })
export type SidebarState = z.output<typeof schema>

const name = 'sidebar'
const whole: SidebarState = { isCollapsed: false, closedGroups: [] }
const listeners = new Set<() => void>()
let current: SidebarState | undefined

/** The user's setting of the sidebar: collapsed to icons, with groups closed. This browser stores it. */
export function useSidebarState(): SidebarState {
  return useSyncExternalStore(subscribe, stateNow)
}

export function toggleSidebar() {
  const { isCollapsed, ...rest } = stateNow()
  set({ ...rest, isCollapsed: !isCollapsed })
}

export function toggleGroup(group: string) {
  const { closedGroups, ...rest } = stateNow()
  const others = closedGroups.filter((each) => each !== group)
  set({ ...rest, closedGroups: others.length < closedGroups.length ? others : [...closedGroups, group] })
}

function set(next: SidebarState) {
  current = next
  try {
    localStorage.setItem(name, JSON.stringify(next))
  } catch {
    // Without storage, it applies to this page only.
  }
  for (const listener of listeners) listener()
}

function stateNow(): SidebarState {
  current ??= readStored()
  return current
}

function readStored(): SidebarState {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(name) ?? ''))
  } catch {
    return whole
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
