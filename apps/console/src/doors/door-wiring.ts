import { text } from '../text/text.ts'

type Wiring = { unit: string | null; unitDoor: number | null }

/** Whether a controller moves this door: it needs the number under which the door is wired there. */
export function isWired({ unit, unitDoor }: Wiring): boolean {
  return unit !== null && unitDoor !== null
}

/** What is wrong with a door, by field: with a controller and no number it would never work. */
export function checkDoor(wiring: Wiring): Record<string, string> {
  return wiring.unit === null || isWired(wiring) ? {} : { unitDoor: text('doors.unitDoorMissing') }
}
