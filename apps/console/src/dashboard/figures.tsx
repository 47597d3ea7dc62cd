import { Link } from '@tanstack/react-router'
import type { unitStatuses } from '@portcullis/contract/collections/units'
import { StateTag } from '../ui/state-tag.tsx'
import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import type { DoorFigure } from './door-figures.ts'
import styles from './figures.module.css'

export type Figure = {
  state: DoorFigure | (typeof unitStatuses)[number] | 'out_of_step' | 'too_much' | 'out_of_service'
  count: number
  /** The list of the counted items. */
  to?: string
  search?: Readonly<Record<string, string | undefined>>
  /** A link to this page: its items are listed below. */
  isOn?: boolean
}

/** The number in each state, with icon, word and colour; each links to the items that it counts. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <ul className={styles.figures} aria-label={label}>
      {figures.map((figure) => (
        <li key={figure.state}>
          {figure.to === undefined ? (
            <span className={styles.figure}>
              <Count {...figure} />
            </span>
          ) : (
            <Link
              to={figure.to}
              search={{ ...figure.search }}
              resetScroll={figure.isOn === undefined}
              className={styles.figure}
              aria-current={figure.isOn ? 'true' : undefined}
            >
              <Count {...figure} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Count({ state, count }: Figure) {
  const words = text(`dashboard.figures.${state}`)
  return (
    <>
      <b>{decimal.format(count)}</b>
      {count > 0 ? <StateTag state={state}>{words}</StateTag> : <span className={styles.none}>{words}</span>}
    </>
  )
}
