import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'

export type Unit = EntityOf<typeof units>
type UnitTroubleInput = Pick<
  Unit,
  | 'name'
  | 'inService'
  | 'status'
  | 'desiredVersion'
  | 'appliedVersion'
  | 'rejection'
  | 'fault'
  | 'lastHeartbeatAt'
  | 'tamperedSince'
>

/** The faults of an enabled controller, the most serious first. */
export const unitTroubles = ['tampered', 'offline', 'failed', 'rejected', 'out_of_step', 'never_seen'] as const
export type UnitTrouble = (typeof unitTroubles)[number]

/** The fault to show for a controller. An offline one reports nothing, so it may be in sync or not. */
export function unitTrouble(unit: UnitTroubleInput): UnitTrouble | undefined {
  if (!unit.inService) return undefined
  if (unit.tamperedSince !== null) return 'tampered'
  if (unit.status !== 'online') return unit.status
  if (!isOutOfStep(unit)) return undefined
  if (unit.fault === 'behind_policy') return 'out_of_step'
  if (unit.fault !== null) return 'failed'
  return unit.rejection === null ? 'out_of_step' : 'rejected'
}

/** Whether it decides by another configuration than the current one. */
export function isOutOfStep({ desiredVersion, appliedVersion, fault }: UnitTroubleInput) {
  return fault !== null || (desiredVersion !== null && desiredVersion !== appliedVersion)
}

/** Controllers with a fault: the most serious first, of these the latest. */
export function troubledUnits<U extends UnitTroubleInput>(all: readonly U[]): { unit: U; trouble: UnitTrouble }[] {
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
