import type { DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import { text } from '../text/text.ts'
import styles from './access-summary.module.css'

type Props = { list: DoorAccess | UserAccess; name: string; of: 'people' | 'doors' }

/** The answer in a sentence: how many can, how many of them now, and who is kept out. */
export function AccessSummary({ list: { counts, hidden }, name, of }: Props) {
  const count = counts.now + counts.later
  const parts = [
    counts.now > 0 && count > 0 ? text('explorer.nowOf', { count: counts.now }) : '',
    counts.never > 0 ? text('explorer.keptOut', { count: counts.never }) : '',
    hidden > 0 ? text(of === 'people' ? 'explorer.hiddenPeople' : 'explorer.hiddenDoors', { count: hidden }) : '',
  ].filter((part) => part !== '')
  return (
    <p className={styles.summary}>
      <b>
        <bdi>{headline({ count, name, of })}</bdi>
      </b>
      {parts.length > 0 && `: ${parts.join('; ')}`}.
    </p>
  )
}

function headline({ count, name, of }: { count: number; name: string; of: Props['of'] }) {
  if (of === 'people') return count === 0 ? text('explorer.nobody', { name }) : text('explorer.people', { count, name })
  return count === 0 ? text('explorer.noDoor', { name }) : text('explorer.doors', { count, name })
}
