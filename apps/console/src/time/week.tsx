import type { Window } from '@portcullis/domain/policy'
import { dayName, windowsInWords } from './hours-in-words.ts'
import styles from './week.module.css'
import { minutesADay, weekLanes } from './week-lanes.ts'

type Props = { windows: readonly Window[]; size?: 'small' | 'large' }

/** The week of a schedule, with a lane for each day. */
export function Week({ windows, size = 'large' }: Props) {
  return (
    <div className={styles.week} data-size={size} role="img" aria-label={windowsInWords(windows)}>
      {weekLanes(windows).map((stretches, index) => (
        <div key={dayName(index + 1)} className={styles.day}>
          {size === 'large' && <span>{dayName(index + 1)}</span>}
          <span className={styles.lane}>
            {stretches.map(({ from, until }) => (
              <i key={`${from} ${until}`} style={{ insetInlineStart: percent(from), width: percent(until - from) }} />
            ))}
          </span>
        </div>
      ))}
    </div>
  )
}

function percent(minutes: number) {
  return `${(minutes / minutesADay) * 100}%`
}
