import { DateInput as MantineDateInput, type DateInputProps } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import { type KeyboardEvent, useState } from 'react'
import { language, locale } from '../text/language.ts'
import { text } from '../text/text.ts'
import { dateText, fieldOrder, parseDate } from './parse-date.ts'

type Props = Pick<DateInputProps, 'label' | 'aria-label' | 'description' | 'error' | 'disabled' | 'size' | 'name'> & {
  /** `2026-11-20`, or empty. */
  value: string
  onChange: (date: string) => void
  /** The first and the last date that can be selected. */
  min?: string
  max?: string
  /** Inside another popover, which a click outside it would close. */
  isInPopover?: boolean
}

/**
 * A civil date, typed or picked. The arrow keys move by a day, Page Up and Page Down by a month; the calendar opens on focus
 * and is for pointers.
 */
export function DateInput({ value, onChange, min, max, isInPopover = false, ...props }: Props) {
  const [isOpen, setIsOpen] = useState(false)

  function step(event: KeyboardEvent<HTMLInputElement>) {
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    const days = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (value === '' || (months === undefined && days === undefined)) return
    event.preventDefault()
    const next = moved(value, { months, days })
    if ((min === undefined || next >= min) && (max === undefined || next <= max)) onChange(next)
  }

  return (
    <MantineDateInput
      {...props}
      autoComplete="off"
      placeholder={placeholder}
      locale={language}
      firstDayOfWeek={firstDayOfWeek}
      valueFormat={dateText}
      dateParser={(typed) => parseDate(typed)}
      weekdayFormat={(date) => weekday.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))}
      allowDeselect
      minDate={min}
      maxDate={max}
      value={value === '' ? null : value}
      onChange={(date) => onChange(date ?? '')}
      onKeyDown={step}
      // Escape closes the calendar first, and only then the drawer around it.
      data-mantine-stop-propagation={isOpen || undefined}
      popoverProps={{ withinPortal: !isInPopover, onOpen: () => setIsOpen(true), onClose: () => setIsOpen(false) }}
      ariaLabels={{
        monthLevelControl: text('time.picker.months'),
        yearLevelControl: text('time.picker.years'),
        nextMonth: text('time.picker.nextMonth'),
        previousMonth: text('time.picker.previousMonth'),
        nextYear: text('time.picker.nextYear'),
        previousYear: text('time.picker.previousYear'),
        nextDecade: text('time.picker.nextDecade'),
        previousDecade: text('time.picker.previousDecade'),
      }}
    />
  )
}

const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })

/** `dd/mm/yyyy`, in the order of the language. */
const placeholder = fieldOrder.map((field) => text(`time.placeholder.${field}`)).join('/')

/** Sunday is 0, as the calendar counts; Monday where the browser does not know. */
const firstDayOfWeek = weekStart()

function weekStart() {
  const days = [0, 1, 2, 3, 4, 5, 6] as const
  const { firstDay } = weekInfoOf(new Intl.Locale(locale))
  return days.find((day) => day === firstDay % 7) ?? 1
}

/** Newer than the types: a method in most browsers, a property in some, absent in Firefox before 145. */
function weekInfoOf(of: Intl.Locale & { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } }) {
  return of.getWeekInfo?.() ?? of.weekInfo ?? { firstDay: 1 }
}

type Step = { months: number | undefined; days: number | undefined }

function moved(date: string, { months = 0, days = 0 }: Step) {
  const [year = 0, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay) + days)).toISOString().slice(0, 10)
}
