import { IconAlertCircle, IconCheck, IconCircle, IconX } from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './check-list.module.css'
import { PhraseText } from '../ui/phrase-text.tsx'
import type { Check } from './explanation.ts'

/** The checks of a decision, one after the other, each with its result. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={styles.checks} aria-label={text('why.checks')}>
      {checks.map((check, index) => (
        <CheckLine key={`${index}`} check={check} />
      ))}
    </ul>
  )
}

function CheckLine({ check: { state, line, more } }: { check: Check }) {
  const Icon = icons[state]
  return (
    <li data-state={state}>
      <Icon size={17} stroke={2.2} role="img" aria-label={text(`why.${state}`)} />
      <span>
        <PhraseText phrase={line} />
        {more.map((sentence, index) => (
          <small key={`${index}`}>
            <PhraseText phrase={sentence} />
          </small>
        ))}
      </span>
    </li>
  )
}

const icons = { passed: IconCheck, refused: IconX, not_asked: IconCircle, noted: IconAlertCircle }
