import { text } from '../../text/text.ts'
import styles from './bulk-results.module.css'
import { idOf } from '../../item/item-parts.ts'
import { messageOf } from '../../ui/list-notice.tsx'
import type { Outcome } from './run-batch.ts'
import { StateTag } from '../../ui/state-tag.tsx'

type Props<T> = { items: readonly T[]; outcomeOf: (item: T) => Outcome; nameOf: (item: T) => string }

const order: readonly Outcome['state'][] = ['failed', 'cancelled', 'running', 'waiting', 'done']
const tags = {
  failed: 'refused',
  cancelled: 'disabled',
  running: 'sent',
  waiting: 'waiting',
  done: 'confirmed',
} as const

/** The result of each row: failed ones first, each with the reason. */
export function BulkResults<T>({ items, outcomeOf, nameOf }: Props<T>) {
  const rows = items.map((item) => ({ item, outcome: outcomeOf(item) }))
  rows.sort((a, b) => order.indexOf(a.outcome.state) - order.indexOf(b.outcome.state))
  return (
    <ul className={styles.results} aria-label={text('list.batch.results')} tabIndex={0}>
      {rows.map(({ item, outcome }) => (
        <li key={idOf(item)}>
          <span>
            <bdi>{nameOf(item)}</bdi>
            {outcome.state === 'done' && outcome.note && <span className="second">{outcome.note}</span>}
            {outcome.state === 'failed' && <span className="second">{messageOf(outcome.error)}</span>}
          </span>
          <StateTag state={tags[outcome.state]}>{words[outcome.state]}</StateTag>
        </li>
      ))}
    </ul>
  )
}

const words: Record<Outcome['state'], string> = {
  failed: text('list.batch.refused'),
  cancelled: text('list.batch.cancelled'),
  running: text('list.batch.running'),
  waiting: text('list.batch.waiting'),
  done: text('list.batch.done'),
}
