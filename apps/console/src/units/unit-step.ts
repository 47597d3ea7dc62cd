import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import type { State } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import { rejectionText } from '../why/rejection-text.ts'

type Unit = Pick<
  EntityOf<typeof units>,
  | 'inService'
  | 'status'
  | 'enrolledAt'
  | 'desiredVersion'
  | 'appliedVersion'
  | 'rejection'
  | 'fault'
  | 'capacityExceededSince'
>

/** Whether a controller follows the current policy: the desired version against the applied one, as a state and as text. */
export function unitStep(unit: Unit): { state: State; words: string } {
  const { desiredVersion: desired, appliedVersion: applied, rejection, fault } = unit
  if (fault !== null) {
    return { state: fault === 'behind_policy' ? 'out_of_step' : 'failed', words: text(`units.fault.${fault}`) }
  }
  if (desired === null) return { state: 'waiting', words: text('units.noConfiguration') }
  if (rejection !== null && applied !== desired) {
    return { state: 'rejected', words: text('units.rejection', { reason: rejectionText(rejection) }) }
  }
  if (applied === null) return { state: 'out_of_step', words: text('units.appliedNothing', { desired }) }
  // A restored server continues above the versions of its units; until it has compiled again, they are ahead of it.
  if (applied === desired) {
    // What it has no room for is missing from the version that it has applied.
    const state = unit.capacityExceededSince === null ? 'in_step' : 'too_much'
    return { state, words: text('units.inStep', { version: applied }) }
  }
  return { state: 'out_of_step', words: text('units.outOfStep', { applied, desired }) }
}

/** The most important state of a controller: disabled, otherwise online or offline. */
export function unitState({ inService, status }: Unit): State {
  return inService ? status : 'out_of_service'
}
