import type { EntityOf } from '@portcullis/contract/collection'
import { sinceField, type UnitCondition, unitConditions, type units } from '@portcullis/contract/collections/units'
import type { ListFilter } from '../list/filters/filters.ts'
import { text } from '../text/text.ts'
import { Time } from '../time/time.tsx'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { reportedStates, UnitStateTag } from '../ui/unit-state-tag.tsx'
import styles from './unit-conditions.module.css'

type Unit = Pick<EntityOf<typeof units>, 'status' | ReturnType<typeof sinceField<UnitCondition>>>

const states = {
  tampered: 'tampered',
  capacityExceeded: 'too_much',
  clockWrong: 'clock_wrong',
  onBattery: 'on_battery',
  outOfSync: 'out_of_step',
} as const satisfies Record<UnitCondition, State>

/** The conditions that a controller has, the most serious first. */
export function conditionsOf(unit: Unit) {
  return unitConditions.flatMap((condition) => {
    const since = unit[sinceField(condition)]
    return since === null ? [] : [{ condition, state: states[condition], since }]
  })
}

/** In the drawer of a controller: each condition, and when it began. */
export function UnitConditions({ unit }: { unit: Unit }) {
  return (
    <ul className={styles.conditions}>
      {conditionsOf(unit).map(({ condition, state, since }) => (
        <li key={condition}>
          <UnitStateTag unit={unit} state={state} />
          <span className="soft">
            <TextWith of="units.since" values={{ time: <Time at={since} /> }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** In a row of the list: the conditions that no other column shows, which the controller reports itself. */
export function ConditionTags({ unit }: { unit: Unit }) {
  const states = conditionsOf(unit).flatMap(({ state }) => reportedStates.find((each) => each === state) ?? [])
  if (states.length === 0) return null
  return (
    <span className={styles.tags}>
      {unit.status === 'offline' && <span className="second">{text('units.lastKnownBefore')}</span>}
      {states.map((state) => (
        <StateTag key={state} state={state} />
      ))}
    </span>
  )
}

/** Controllers with any of the selected conditions. */
export const conditionFilter: ListFilter = {
  name: 'condition',
  label: text('units.conditions'),
  kind: 'choice',
  choices: unitConditions.map((condition) => ({
    value: condition,
    label: text(`state.${states[condition]}`),
    toFilter: () => ({ [sinceField(condition)]: { exists: true } }),
  })),
}
