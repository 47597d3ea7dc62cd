import { text } from '../text/text.ts'
import { dayName } from '../time/hours-in-words.ts'
import styles from './day-toggles.module.css'

type Props = {
  days: readonly number[]
  onChange: (days: number[]) => void
  label?: string
  /** A day that cannot be selected. */
  without?: number
}

/** Days of the week, each selected or not. */
export function DayToggles({ days, onChange, label = text('schedules.days'), without }: Props) {
  return (
    <div className={styles.days} role="group" aria-label={label}>
      {weekDays.map((day) => (
        <button
          key={day}
          type="button"
          aria-pressed={days.includes(day)}
          disabled={day === without}
          onClick={() =>
            onChange(days.includes(day) ? days.filter((each) => each !== day) : [...days, day].sort((a, b) => a - b))
          }
        >
          {dayName(day)}
        </button>
      ))}
    </div>
  )
}

export const weekDays = [1, 2, 3, 4, 5, 6, 7] as const
