import type { DoorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import type { Filter } from '@portcullis/contract/list-query'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { z } from 'zod'
import { isUnlockedAt } from '../commands/use-unlock-hours.ts'

export type Door = EntityOf<typeof doors>
type DoorFigureInput = Pick<Door, 'state' | 'mode' | 'enabled'> & { _id?: string; modeUntil?: string | null }
/** The hours of the doors with an unlock schedule. */
export type UnlockHours = ReadonlyMap<string, DoorUnlockHours>
type Now = { at: number; hours?: UnlockHours }

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

/** The state of a door at a moment: an alarm before a desired mode or an unlock schedule, and these before whether it is open. */
export function doorFigure(door: DoorFigureInput, { at, hours }: Now): DoorFigure {
  if (!door.enabled) return 'disabled'
  if (door.state === 'forced' || door.state === 'held') return door.state
  const mode = modeAt(door, at)
  if (mode !== 'normal') return mode
  const ofDoor = hours?.get(door._id ?? '')
  return ofDoor && isUnlockedAt(ofDoor, at) ? 'unlocked' : door.state
}

/**
 * The number of doors in each state. Counts ignore the end of a mode and unlock schedules, so named doors are counted under
 * their current state.
 */
export function countDoors({
  rows,
  doors,
  ...now
}: Required<Now> & { rows: readonly unknown[]; doors: readonly Door[] }) {
  const counts = new Map<DoorFigure, number>(doorFigures.map((figure) => [figure, 0]))
  const add = (figure: DoorFigure, count: number) => counts.set(figure, Math.max(0, (counts.get(figure) ?? 0) + count))
  for (const { count, ...state } of z.array(row).parse(rows)) add(doorFigure(state, now), count)
  for (const door of new Map(doors.map((each) => [each._id, each])).values()) {
    add(doorFigure({ ...door, modeUntil: null }, { at: now.at }), -1)
    add(doorFigure(door, now), 1)
  }
  return counts
}

/** The states other than normal, closed or in use. */
export const unusualDoors: Filter = {
  enabled: true,
  or: [{ state: { in: ['forced', 'held'] } }, { mode: { ne: 'normal' } }],
}

export const scheduledDoors: Filter = { enabled: true, unlockSchedule: { ne: null } }

/** Filters a list to the doors of a figure, as far as a filter can; `doorFigure` is exact. */
export function doorsOf(figure: DoorFigure): Filter {
  switch (figure) {
    case 'disabled':
      return { enabled: false }
    case 'unlocked':
      return {
        enabled: true,
        state: { nin: ['forced', 'held'] },
        or: [{ mode: 'unlocked' }, { unlockSchedule: { ne: null } }],
      }
    case 'lockdown':
    case 'blocked':
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
export function unusualFirst(doors: readonly Door[], now: Now) {
  return doors
    .map((door) => ({ door, figure: doorFigure(door, now) }))
    .filter(({ figure }) => needsAttention.includes(figure))
    .sort(
      (a, b) =>
        doorFigures.indexOf(a.figure) - doorFigures.indexOf(b.figure) ||
        (doorSince(b.door, b.figure) ?? '').localeCompare(doorSince(a.door, a.figure) ?? ''),
    )
}

const needsAttention: readonly DoorFigure[] = ['forced', 'held', 'lockdown', 'blocked', 'unlocked']
