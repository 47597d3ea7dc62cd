import { Input, type InputWrapperProps } from '@mantine/core'
import { TimePicker } from '@mantine/dates'
import { useId } from 'react'
import { locale } from '../text/language.ts'
import { text } from '../text/text.ts'
import { DateInput } from './date-input.tsx'
import { isLocal } from './local-moment.ts'
import { isDate } from './parse-date.ts'
import { isTwelveHour } from './site-time.ts'
import styles from './moment-input.module.css'

type Props = Pick<InputWrapperProps, 'label' | 'description' | 'error'> & {
  size?: 'xs' | 'sm'
  /** A date and time on a wall clock, `2026-11-20T18:00`; empty; or typed text that is no date. */
  value: string
  onChange: (local: string) => void
  disabled?: boolean
  /** An end: a date without a time means its last minute. */
  isEnd?: boolean
  /** Inside another popover, which a click outside it would close. */
  isInPopover?: boolean
}

/**
 * A date and time on a wall clock, typed or picked, on the viewer's 12- or 24-hour clock. A date without a time means midnight, or for an end its last minute;
 * the time can be entered once there is a date.
 */
export function MomentInput({
  value,
  onChange,
  disabled = false,
  isEnd = false,
  size = 'sm',
  isInPopover = false,
  ...wrapper
}: Props) {
  const id = useId()
  const [date = '', time = ''] = isLocal(value) ? value.split('T') : [value]
  const parts = { size, disabled, error: Boolean(wrapper.error) }
  return (
    <Input.Wrapper
      {...wrapper}
      size={size}
      labelElement="div"
      labelProps={{ id }}
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
        <TimePicker
          {...parts}
          className={styles.time}
          aria-label={text('time.picker.time')}
          disabled={disabled || !isDate(date)}
          withDropdown
          popoverProps={{ withinPortal: !isInPopover }}
          format={isTwelveHour ? '12h' : '24h'}
          amPmLabels={{ am: dayPeriod(6), pm: dayPeriod(18) }}
          hoursInputLabel={text('time.picker.hours')}
          minutesInputLabel={text('time.picker.minutes')}
          amPmInputLabel={text('time.picker.dayPeriod')}
          value={time}
          onChange={(next) => next !== '' && onChange(`${date}T${next.slice(0, 5)}`)}
        />
      </div>
    </Input.Wrapper>
  )
}

/** The language's word for the half of the day of an hour: `AM`, `p. m.`. */
function dayPeriod(hour: number) {
  const twelve = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric', hour12: true })
  const parts = twelve.formatToParts(Date.UTC(2026, 0, 1, hour))
  return parts.find(({ type }) => type === 'dayPeriod')?.value ?? (hour < 12 ? 'AM' : 'PM')
}
