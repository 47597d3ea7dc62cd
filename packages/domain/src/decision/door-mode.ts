import type { DoorMode } from '../policy.ts'

/** What is wanted of a door, until when; without an end it holds until it is changed. */
export type WantedMode = { readonly mode: DoorMode; readonly modeUntil?: string | null }

/** The mode that holds at a moment, in epoch milliseconds: once its end has come, a door goes back to its schedule. */
export function modeAt({ mode, modeUntil = null }: WantedMode, at: number): DoorMode {
  return modeUntil !== null && Date.parse(modeUntil) <= at ? 'normal' : mode
}
