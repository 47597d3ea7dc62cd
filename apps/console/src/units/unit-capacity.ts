import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import type { State } from '../ui/state-tag.tsx'

type Unit = Pick<EntityOf<typeof units>, 'capacity' | 'configSize' | 'pendingEvents'>

const kinds = ['doors', 'credentials', 'schedules', 'events'] as const
export type CapacityKind = (typeof kinds)[number]

/** How many of a kind a controller needs to store, and how many it can; `most` is null if it is not reported. */
export type Filling = { kind: CapacityKind; used: number; most: number | null; state: CapacityState | undefined }
export type CapacityState = Extract<State, 'fits' | 'nearly_full' | 'too_much'>

const nearlyFullShare = 0.9

/** How full a controller is: with its desired configuration, and with the events that wait on it. */
export function fillingsOf({ capacity, configSize, pendingEvents }: Unit): Filling[] {
  const needs: Partial<Record<CapacityKind, number | null>> = { ...configSize, events: pendingEvents }
  return kinds.flatMap((kind) => {
    const used = needs[kind] ?? null
    if (used === null) return []
    const most = capacity?.[kind] ?? null
    return [{ kind, used, most, state: most === null ? undefined : stateOf(used, most) }]
  })
}

/** The fullest kind with a known limit. */
export function fullestOf(fillings: readonly Filling[]): Filling | undefined {
  return fillings.filter(({ most }) => most !== null).toSorted((a, b) => shareOf(b) - shareOf(a))[0]
}

function stateOf(used: number, most: number): CapacityState {
  if (used > most) return 'too_much'
  return used >= most * nearlyFullShare && used > 0 ? 'nearly_full' : 'fits'
}

function shareOf({ used, most }: Filling) {
  if (most === null || used === 0) return 0
  return most === 0 ? Number.POSITIVE_INFINITY : used / most
}
