import type { DoorMode } from '../policy.ts'

/** The desired mode of a door and its end; without an end it applies until it is changed. */
export type DesiredMode = { readonly mode: DoorMode; readonly modeUntil?: string | null }

/** The mode at an instant (epoch milliseconds): from its end on, a door returns to its schedule. */
export function modeAt({ mode, modeUntil = null }: DesiredMode, at: number): DoorMode {
  return modeUntil !== null && Date.parse(modeUntil) <= at ? 'normal' : mode
}
