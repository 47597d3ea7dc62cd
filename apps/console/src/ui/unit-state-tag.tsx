import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { text } from '../text/text.ts'
import { type State, StateTag } from './state-tag.tsx'

/** States that a controller reports with its heartbeats. */
export const reportedStates = ['tampered', 'clock_wrong', 'on_battery'] as const satisfies readonly State[]

type Props = { unit: Pick<EntityOf<typeof units>, 'status'>; state: State }

/** A state of a controller; of an offline one, which may have changed it since, as the last known. */
export function UnitStateTag({ unit, state }: Props) {
  const last = unit.status === 'offline' ? reportedStates.find((each) => each === state) : undefined
  return last ? <StateTag state={last}>{text(`units.lastKnown.${last}`)}</StateTag> : <StateTag state={state} />
}
