import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import { type Filling, fillingsOf, fullestOf } from './unit-capacity.ts'
import styles from './unit-fillings.module.css'

type Unit = EntityOf<typeof units>

/** How full a controller is, by kind; without limits, how many it needs to store. */
export function UnitFillings({ unit }: { unit: Unit }) {
  const fillings = fillingsOf(unit)
  const isReported = fillings.some(({ most }) => most !== null)
  return (
    <>
      <ul className={styles.fillings}>
        {fillings.map((filling) => (
          <li key={filling.kind}>
            <span>{text(`units.capacityOf.${filling.kind}`)}</span>
            <Bar {...filling} />
            <span className={styles.figures}>{figures(filling)}</span>
            {isRemarkable(filling) && <StateTag state={filling.state} />}
          </li>
        ))}
      </ul>
      {!isReported && <span className="soft">{text('units.capacityUnknown')}</span>}
    </>
  )
}

/** The fullest kind in a row of the list; `only="full"` shows nothing while everything fits, and a state `beside` it is not repeated. */
export function FullestFilling({ unit, only, beside }: { unit: Unit; only?: 'full'; beside?: State }) {
  const fullest = fullestOf(fillingsOf(unit))
  if (!fullest?.state) return null
  if (only === 'full' && !isRemarkable(fullest)) return null
  return (
    <>
      {fullest.state !== beside && <StateTag state={fullest.state} />}
      <span className="second">{`${text(`units.capacityOf.${fullest.kind}`)}: ${figures(fullest)}`}</span>
    </>
  )
}

function Bar({ used, most, state }: Filling) {
  if (most === null) return null
  const share = most === 0 ? Math.min(used, 1) : Math.min(used / most, 1)
  return (
    <span
      className={styles.bar}
      data-state={state}
      aria-hidden="true"
      ref={(bar) => bar?.style.setProperty('--share', String(share))}
    />
  )
}

function figures({ used, most }: Filling) {
  return most === null ? text('units.used', { count: used }) : text('units.usedOf', { used, most })
}

function isRemarkable(filling: Filling): filling is Filling & { state: 'nearly_full' | 'too_much' } {
  return filling.state === 'nearly_full' || filling.state === 'too_much'
}
