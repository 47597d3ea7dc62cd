import { Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import type { Language } from '@portcullis/contract/languages'
import spanishCalendar from 'dayjs/locale/es'
import { type KeyboardEvent, useState } from 'react'
import { language, locale } from '../text/language.ts'
import { text } from '../text/text.ts'
import { dateText, fieldOrder, isDate, parseDate } from './parse-date.ts'

type Props = Pick<TextInputProps, 'label' | 'aria-label' | 'description' | 'error' | 'disabled' | 'size'> & {
  /** `2026-11-20`, empty, or typed text that is no date. */
  value: string
  onChange: (date: string) => void
  /** The first and the last date that can be picked. */
  min?: string
  max?: string
  /** Inside another popover, which a click outside it would close. */
  isInPopover?: boolean
}

/**
 * A civil date, typed or picked. The arrow keys move by a day, Page Up and Page Down by a month; the calendar opens on focus
 * and is for pointers. Typed text that is no date stays in the field and becomes the value, so that no form can save it.
 */
export function DateInput({ value, onChange, min, max, isInPopover = false, error, ...props }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  /** The text while it is being typed. */
  const [typed, setTyped] = useState<string>()
  const picked = isDate(value) ? value : null
  const isInvalid = typed === undefined && value !== '' && picked === null

  function type(next: string) {
    setTyped(next)
    setIsOpen(true)
    const date = next.trim() === '' ? '' : parseDate(next)
    if (date !== null) onChange(date)
  }

  function finish() {
    setIsOpen(false)
    setTyped(undefined)
    if (typed !== undefined) onChange(typed.trim() === '' ? '' : (parseDate(typed) ?? typed.trim()))
  }

  function pressKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') setIsOpen(false)
    if (event.key === 'Enter') finish()
    step(event)
  }

  function step(event: KeyboardEvent<HTMLInputElement>) {
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    const days = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (picked === null || (months === undefined && days === undefined)) return
    event.preventDefault()
    const next = moved(picked, { months, days })
    if ((min !== undefined && next < min) || (max !== undefined && next > max)) return
    setTyped(undefined)
    onChange(next)
  }

  return (
    <Popover
      opened={isOpen && !props.disabled}
      onChange={setIsOpen}
      withinPortal={!isInPopover}
      position="bottom-start"
      trapFocus={false}
      withRoles={false}
    >
      <Popover.Target>
        <TextInput
          {...props}
          autoComplete="off"
          placeholder={placeholder}
          value={typed ?? dateText(value)}
          error={error || (isInvalid && text('time.picker.invalid', { example }))}
          onChange={(event) => type(event.currentTarget.value)}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onBlur={finish}
          onKeyDown={pressKey}
          // Escape closes the calendar first, and only then the drawer around it.
          data-mantine-stop-propagation={isOpen || undefined}
        />
      </Popover.Target>
      {/* Keeps the focus in the field. */}
      <Popover.Dropdown onMouseDown={(event) => event.preventDefault()}>
        <DatePicker
          key={picked}
          locale={calendarLocales[language]}
          firstDayOfWeek={firstDayOfWeek}
          weekdayFormat={(date) => weekday.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))}
          allowDeselect
          highlightToday
          // Red marks errors.
          weekendDays={[]}
          {...calendarBounds({ min, max, picked })}
          value={picked}
          onChange={(date) => {
            setTyped(undefined)
            setIsOpen(false)
            onChange(date ?? '')
          }}
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
      </Popover.Dropdown>
    </Popover>
  )
}

type Bounds = { min: string | undefined; max: string | undefined; picked: string | null }

function calendarBounds({ min, max, picked }: Bounds) {
  return {
    ...(min === undefined ? {} : { minDate: min }),
    ...(max === undefined ? {} : { maxDate: max }),
    ...(picked === null ? {} : { defaultDate: picked }),
  }
}

const calendarLocales: Readonly<Record<Language, string>> = { en: 'en', es: spanishCalendar.name }

/** A date as it can be typed. */
const example = dateText('2026-11-20')

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
