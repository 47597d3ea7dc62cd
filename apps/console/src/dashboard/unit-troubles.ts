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
  | 'capacityExceededSince'
  | 'clockWrongSince'
  | 'onBatterySince'
>

/** The faults of an enabled controller, the most serious first. */
export const unitTroubles = [
  'tampered',
  'offline',
  'too_much',
  'failed',
  'rejected',
  'clock_wrong',
  'on_battery',
  'out_of_step',
  'never_seen',
] as const
export type UnitTrouble = (typeof unitTroubles)[number]

/** The fault to show for a controller. An offline one reports nothing, so it may be in sync or not. */
export function unitTrouble(unit: UnitTroubleInput): UnitTrouble | undefined {
  if (!unit.inService) return undefined
  if (unit.tamperedSince !== null) return 'tampered'
  if (unit.status !== 'online') return unit.status
  if (isFull(unit)) return 'too_much'
  const refusal = isOutOfStep(unit) && refusalOf(unit)
  if (refusal) return refusal
  if (unit.clockWrongSince !== null) return 'clock_wrong'
  if (unit.onBatterySince !== null) return 'on_battery'
  return isOutOfStep(unit) ? 'out_of_step' : undefined
}

/** Why a controller will not be in sync by itself. */
function refusalOf({ fault, rejection }: UnitTroubleInput) {
  if (fault === 'behind_policy') return undefined
  if (fault !== null) return 'failed'
  return rejection === null ? undefined : 'rejected'
}

/** Whether it decides by another configuration than the current one. */
export function isOutOfStep({ desiredVersion, appliedVersion, fault }: UnitTroubleInput) {
  return fault !== null || (desiredVersion !== null && desiredVersion !== appliedVersion)
}

/** Whether it has no room for all that it needs. */
function isFull({ inService, capacityExceededSince }: Pick<Unit, 'inService' | 'capacityExceededSince'>) {
  return inService && capacityExceededSince !== null
}

/** How many doors exceed what their controllers can hold. */
export function countDoorsWithoutRoom(
  units: readonly Pick<Unit, 'inService' | 'capacityExceededSince' | 'capacity' | 'configSize'>[],
) {
  return units.filter(isFull).reduce((sum, { capacity, configSize }) => {
    return capacity && configSize ? sum + Math.max(0, configSize.doors - capacity.doors) : sum
  }, 0)
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
