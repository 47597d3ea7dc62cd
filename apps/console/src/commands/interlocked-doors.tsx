import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import styles from './interlocked-doors.module.css'
import type { InterlockedDoor } from './use-interlocks-of.ts'

const looks = { secure: 'closed', closed: 'closed', open: 'open', unknown: 'out_of_step' } as const

/** Doors of an interlock with their present state, and the reason why one is not known. */
export function InterlockedDoors({ label, doors }: { label: string; doors: readonly InterlockedDoor[] }) {
  return (
    <ul className={styles.doors} aria-label={label}>
      {doors.map(({ _id, name, state, fault }) => (
        <li key={_id}>
          <bdi>{name}</bdi>
          <span>
            <StateTag state={looks[state]}>{text(`interlockingGroups.states.${state}`)}</StateTag>
            {fault && <span className="second">{text(`interlockingGroups.faults.${fault}`)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
