import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import type { State } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'

type Unit = Pick<
  EntityOf<typeof units>,
  'inService' | 'status' | 'enrolledAt' | 'desiredVersion' | 'appliedVersion' | 'rejection'
>

/** Whether a controller obeys the policy that it should: the wanted version against the applied one, in a state and in words. */
export function unitStep(unit: Unit): { state: State; words: string } {
  const { desiredVersion: desired, appliedVersion: applied, rejection } = unit
  if (desired === null) return { state: 'waiting', words: text('units.noConfiguration') }
  if (rejection !== null && applied !== desired) {
    return { state: 'rejected', words: text('units.rejection', { reason: rejection }) }
  }
  if (applied === null) return { state: 'out_of_step', words: text('units.appliedNothing', { desired }) }
  // A restored server continues above what its units have; until it has compiled anew they are ahead of it.
  if (applied === desired) return { state: 'in_step', words: text('units.inStep', { version: applied }) }
  return { state: 'out_of_step', words: text('units.outOfStep', { applied, desired }) }
}

/** What is to be said of a controller first: that it is out of service, or whether it can be reached. */
export function unitState({ inService, status }: Unit): State {
  return inService ? status : 'out_of_service'
}
