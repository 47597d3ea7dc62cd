import { sites } from '@portcullis/contract/collections/sites'
import { Link } from '@tanstack/react-router'
import { NameOf } from '../item/name-of.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import styles from './interlocked-doors.module.css'
import type { InterlockedDoor } from './use-interlocks-of.ts'

const looks = { secure: 'closed', closed: 'closed', open: 'unlocked', unknown: 'out_of_step' } as const

type Props = {
  label: string
  doors: readonly InterlockedDoor[]
  /** The site that needs no name. */
  site: string | undefined
  /** Called when the user follows the link to a door. */
  onLeave?: (() => void) | undefined
}

/** Doors of an interlock with their present state, and the reason why one is not known; each links to its place on its site. */
export function InterlockedDoors({ label, doors, site: ownSite, onLeave }: Props) {
  const { ref } = useAccount()
  return (
    <ul className={styles.doors} aria-label={label}>
      {doors.map(({ _id, name, site, state, fault }) => {
        const to: string = `/${ref}/sites/${site}`
        return (
          <li key={_id}>
            <span>
              <Link to={to} search={{ open: _id }} onClick={onLeave}>
                <bdi>{name}</bdi>
              </Link>
              {site !== ownSite && (
                <span className="second">
                  <NameOf of={sites} id={site} />
                </span>
              )}
            </span>
            <span>
              <StateTag state={looks[state]}>{text(`interlockingGroups.states.${state}`)}</StateTag>
              {fault && <span className="second">{text(`interlockingGroups.faults.${fault}`)}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
