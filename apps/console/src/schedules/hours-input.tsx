import type { Hours } from '@portcullis/domain/policy'
import { text } from '../text/text.ts'
import { isTime } from '../time/clock-of.ts'
import { timeExample, TimeInput } from '../time/time-input.tsx'
import styles from './hours-input.module.css'

/** The start and end of a period, on the viewer's 12- or 24-hour clock. */
export function HoursInput({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  const isInvalid = !isTime(hours.start) || !isTime(hours.end)
  return (
    <span className={styles.hours}>
      <TimeInput
        className={styles.clock}
        aria-label={text('schedules.start')}
        value={hours.start}
        onChange={(start) => onChange({ start: start === '24:00' ? '00:00' : start, end: hours.end })}
      />
      <span aria-hidden="true">–</span>
      <TimeInput
        className={styles.clock}
        aria-label={text('schedules.end')}
        value={hours.end}
        onChange={(end) => onChange({ start: hours.start, end: end === '00:00' ? '24:00' : end })}
      />
      {isInvalid && (
        <span className={styles.invalid} role="alert">
          {text('time.picker.invalidTime', { example: timeExample })}
        </span>
      )}
    </span>
  )
}
