import { Input, type InputWrapperProps } from '@mantine/core'
import { useId } from 'react'
import { text } from '../text/text.ts'
import { DateInput } from './date-input.tsx'
import { isTime } from './clock-of.ts'
import { localMoment } from './local-moment.ts'
import { isDate } from './parse-date.ts'
import { timeExample, TimeInput } from './time-input.tsx'
import styles from './moment-input.module.css'

type Props = Pick<InputWrapperProps, 'label' | 'description' | 'error'> & {
  size?: 'xs' | 'sm'
  /** A date and time on a wall clock, `2026-11-20T18:00`; empty; or typed text that is no date or no time. */
  value: string
  onChange: (local: string) => void
  disabled?: boolean
  /** An end: a date without a time means its last minute. */
  isEnd?: boolean
  /** The date of a time without a date, on the same wall clock; the viewer's if it is missing. */
  today?: string | undefined
  /** Inside another popover, which a click outside it would close. */
  isInPopover?: boolean
}

/**
 * A date and time on a wall clock, typed or picked, on the viewer's 12- or 24-hour clock. A date without a time means midnight, or for an end its last minute;
 * a time without a date means today.
 */
export function MomentInput({
  value,
  onChange,
  disabled = false,
  isEnd = false,
  today,
  size = 'sm',
  isInPopover = false,
  ...wrapper
}: Props) {
  const id = useId()
  const { date, time, isTimeInvalid } = partsOf(value)
  const isDateInvalid = date !== '' && !isDate(date)
  // The date and the time name their own faults, which say more than the form's.
  const formError = isDateInvalid || isTimeInvalid ? undefined : wrapper.error
  const parts = { size, disabled, error: Boolean(formError) }
  return (
    <Input.Wrapper
      {...wrapper}
      error={isTimeInvalid ? text('time.picker.invalidTime', { example: timeExample }) : formError}
      size={size}
      labelElement="div"
      labelProps={{ id }}
      descriptionProps={{ mt: 4 }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <div className={styles.moment} role="group" aria-labelledby={id}>
        <DateInput
          {...parts}
          isInPopover={isInPopover}
          aria-label={text('time.picker.date')}
          value={date}
          onChange={(next) => onChange(isDate(next) ? `${next}T${time || (isEnd ? '23:59' : '00:00')}` : next)}
        />
        <TimeInput
          {...parts}
          className={styles.time}
          isInPopover={isInPopover}
          aria-label={text('time.picker.time')}
          disabled={disabled || isDateInvalid}
          value={time}
          onChange={(next) => onChange(`${date || (today ?? browserToday())}T${next}`)}
        />
      </div>
    </Input.Wrapper>
  )
}

/** The date of the browser's time zone. */
function browserToday() {
  return localMoment(new Date().toISOString()).slice(0, 10)
}

/** Without the seconds of a time, which people do not enter. */
function partsOf(value: string) {
  const [, date = value, time = ''] = /^(\d{4}-\d{2}-\d{2})T(.*)$/.exec(value) ?? []
  const minutes = time.slice(0, 5)
  const isTimeInvalid = time !== '' && !isTime(minutes)
  return { date, time: isTimeInvalid ? time : minutes, isTimeInvalid }
}
