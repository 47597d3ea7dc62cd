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
          {row.state === 'changed' && <span className={styles.dates}>{changesOf(row)}</span>}
        </li>
      ))}
    </ul>
  )
}

function wordsOf({ holiday, reason }: ImportRow) {
  if (reason !== null) return text(`holidays.rejections.${reason}`)
  return holiday && `${datesInWords(holiday.dates)} · ${text(`holidays.kinds.${holiday.kind}`)}`
}

/** `Adds 2 dates: 1 May 2026 and 1 more · Kind changes from Company to Public` */
function changesOf({ holiday, added, removed, kindBefore }: ImportRow) {
  const changes = []
  if (added.length > 0) changes.push(text('holidays.adds', { count: added.length, dates: datesInWords(added) }))
  if (removed.length > 0)
    changes.push(text('holidays.removes', { count: removed.length, dates: datesInWords(removed) }))
  if (holiday && kindBefore) {
    const [before, after] = [text(`holidays.kinds.${kindBefore}`), text(`holidays.kinds.${holiday.kind}`)]
    changes.push(text('holidays.changesKind', { before, after }))
  }
  return changes.join(' · ')
}
