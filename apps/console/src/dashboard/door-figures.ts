import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import type { Filter } from '@portcullis/contract/list-query'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { z } from 'zod'

export type Door = EntityOf<typeof doors>
type DoorFigureInput = Pick<Door, 'state' | 'mode' | 'enabled'> & { modeUntil?: string | null }

/** The state that a door is counted under, the most urgent first; every door has exactly one. */
export const doorFigures = [
  'forced',
  'held',
  'lockdown',
  'blocked',
  'unlocked',
  'open',
  'closed',
  'unknown',
  'disabled',
] as const
export type DoorFigure = (typeof doorFigures)[number]

const row = doors.entitySchema.pick({ state: true, mode: true, enabled: true }).extend({ count: z.int() })

/** The state of a door at a moment: an alarm before a desired mode, and that before whether it is open. */
export function doorFigure(door: DoorFigureInput, at: number): DoorFigure {
  if (!door.enabled) return 'disabled'
  if (door.state === 'forced' || door.state === 'held') return door.state
  const mode = modeAt(door, at)
  return mode === 'normal' ? door.state : mode
}

/**
 * The number of doors in each state. Counts ignore the end of a mode, so named doors whose mode has ended are counted under
 * their current state.
 */
export function countDoors({ rows, doors, at }: { rows: readonly unknown[]; doors: readonly Door[]; at: number }) {
  const counts = new Map<DoorFigure, number>(doorFigures.map((figure) => [figure, 0]))
  const add = (figure: DoorFigure, count: number) => counts.set(figure, Math.max(0, (counts.get(figure) ?? 0) + count))
  for (const { count, ...state } of z.array(row).parse(rows)) add(doorFigure(state, at), count)
  for (const door of doors) {
    add(doorFigure({ ...door, modeUntil: null }, at), -1)
    add(doorFigure(door, at), 1)
  }
  return counts
}

/** The states other than normal, closed or in use. */
export const unusualDoors: Filter = {
  enabled: true,
  or: [{ state: { in: ['forced', 'held'] } }, { mode: { ne: 'normal' } }],
}

/** Filters a list to the doors of a figure, as far as a filter can; `doorFigure` is exact. */
export function doorsOf(figure: DoorFigure): Filter {
  switch (figure) {
    case 'disabled':
      return { enabled: false }
    case 'lockdown':
    case 'blocked':
    case 'unlocked':
      return { enabled: true, mode: figure, state: { nin: ['forced', 'held'] } }
    case 'forced':
    case 'held':
    case 'open':
    case 'closed':
    case 'unknown':
      return { enabled: true, state: figure }
  }
}

/** Since when it has its state, if known. */
export function doorSince(door: Door, figure: DoorFigure): string | null {
  if (figure === 'disabled') return null
  return figure === 'lockdown' || figure === 'blocked' || figure === 'unlocked' ? door.modeSetAt : door.stateAt
}

/** Doors that need attention: the most serious first, and of these the most recent. */
export function unusualFirst(doors: readonly Door[], at: number) {
  return doors
    .map((door) => ({ door, figure: doorFigure(door, at) }))
    .filter(({ figure }) => needsAttention.includes(figure))
    .sort(
      (a, b) =>
        doorFigures.indexOf(a.figure) - doorFigures.indexOf(b.figure) ||
        (doorSince(b.door, b.figure) ?? '').localeCompare(doorSince(a.door, a.figure) ?? ''),
    )
}

const needsAttention: readonly DoorFigure[] = ['forced', 'held', 'lockdown', 'blocked', 'unlocked']
