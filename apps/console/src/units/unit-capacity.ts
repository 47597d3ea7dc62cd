import { type CapacityUse, capacityUses, usedShare } from '@portcullis/contract/unit-capacity'
import type { State } from '../ui/state-tag.tsx'

/** How many of a kind a controller needs to store, and how many it can; `most` is null if it is not reported. */
export type Filling = CapacityUse & { state: CapacityState | undefined }
export type CapacityState = Extract<State, 'fits' | 'nearly_full' | 'too_much'>

const nearlyFullShare = 0.9

/** How full a controller is: with its desired configuration, and with the events that wait on it. */
export function fillingsOf(unit: Parameters<typeof capacityUses>[0]): Filling[] {
  return capacityUses(unit).map((use) => ({ ...use, state: use.most === null ? undefined : stateOf(use) }))
}

/** The fullest kind with a known limit. */
export function fullestOf(fillings: readonly Filling[]): Filling | undefined {
  return fillings.filter(({ most }) => most !== null).toSorted((a, b) => usedShare(b) - usedShare(a))[0]
}

function stateOf(use: CapacityUse): CapacityState {
  const share = usedShare(use)
  if (share > 1) return 'too_much'
  return share >= nearlyFullShare ? 'nearly_full' : 'fits'
}
