import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'

export type Unit = EntityOf<typeof units>
type Told = Pick<
  Unit,
  'name' | 'inService' | 'status' | 'desiredVersion' | 'appliedVersion' | 'rejection' | 'lastHeartbeatAt'
>

/** What is wrong with a controller that is in service, the gravest first. */
export const unitTroubles = ['offline', 'rejected', 'out_of_step', 'never_seen'] as const
export type UnitTrouble = (typeof unitTroubles)[number]

/** What is to be said of a controller; one that is silent is not asked whether it is in step. */
export function unitTrouble(unit: Told): UnitTrouble | undefined {
  if (!unit.inService) return undefined
  if (unit.status !== 'online') return unit.status
  if (!isOutOfStep(unit)) return undefined
  return unit.rejection === null ? 'out_of_step' : 'rejected'
}

/** Whether it obeys another policy than it should. */
export function isOutOfStep({ desiredVersion, appliedVersion }: Told) {
  return desiredVersion !== null && desiredVersion !== appliedVersion
}

/** Those with a trouble: the gravest first, of these the latest. */
export function troubledUnits<U extends Told>(all: readonly U[]): { unit: U; trouble: UnitTrouble }[] {
  return all
    .flatMap((unit) => {
      const trouble = unitTrouble(unit)
      return trouble ? [{ unit, trouble }] : []
    })
    .sort(
      (a, b) =>
        unitTroubles.indexOf(a.trouble) - unitTroubles.indexOf(b.trouble) ||
        (b.unit.lastHeartbeatAt ?? '').localeCompare(a.unit.lastHeartbeatAt ?? '') ||
        a.unit.name.localeCompare(b.unit.name),
    )
}
