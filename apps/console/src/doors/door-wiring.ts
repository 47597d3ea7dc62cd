import { text } from '../text/text.ts'

type Wiring = { unit: string | null; unitDoor: number | null }

/** Whether a controller operates this door: it needs the number of the door on the controller. */
export function isWired({ unit, unitDoor }: Wiring): boolean {
  return unit !== null && unitDoor !== null
}

/** The faults of a door, by field: with a controller and no number it would never work. */
export function checkDoor(wiring: Wiring): Record<string, string> {
  return wiring.unit === null || isWired(wiring) ? {} : { unitDoor: text('doors.unitDoorMissing') }
}
