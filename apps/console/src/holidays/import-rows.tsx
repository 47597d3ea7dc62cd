import type { ImportRow } from '@portcullis/contract/calls/import-holidays'
import { text } from '../text/text.ts'
import { datesInWords } from './dates-in-words.ts'
import styles from './import-rows.module.css'

/** What becomes of each holiday of an import. */
export function ImportRows({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <ul className={styles.rows} aria-label={text('holidays.title')}>
      {rows.map((row, index) => (
        <li key={index}>
          <span className={styles.name}>
            <bdi>{row.name || '–'}</bdi>
          </span>
          <span data-state={row.state} className={styles.state}>
            {text(`holidays.states.${row.state}`)}
          </span>
          <span className={styles.dates}>{wordsOf(row)}</span>
        </li>
      ))}
    </ul>
  )
}

function wordsOf({ holiday, reason }: ImportRow) {
  if (reason !== null) return text(`holidays.rejections.${reason}`)
  return holiday && `${datesInWords(holiday.dates)} · ${text(`holidays.kinds.${holiday.kind}`)}`
}
