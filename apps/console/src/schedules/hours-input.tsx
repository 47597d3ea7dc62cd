import { TextInput } from '@mantine/core'
import type { Hours } from '@portcullis/domain/policy'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { isTwelveHour, timeOfDay } from '../time/site-time.ts'
import { clockOf } from './clock-of.ts'
import styles from './hours-input.module.css'

/** The start and end of a period, on the viewer's 12- or 24-hour clock; `7`, `730`, `7.30` and `7 pm` are understood. */
export function HoursInput({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  return (
    <span className={styles.hours}>
      <ClockInput
        label={text('schedules.start')}
        value={hours.start}
        onChange={(start) => onChange({ start: start === '24:00' ? '00:00' : start, end: hours.end })}
      />
      <span aria-hidden="true">–</span>
      <ClockInput
        label={text('schedules.end')}
        value={hours.end}
        onChange={(end) => onChange({ start: hours.start, end: end === '00:00' ? '24:00' : end })}
      />
    </span>
  )
}

type ClockProps = { label: string; value: string; onChange: (value: string) => void }

function ClockInput({ label, value, onChange }: ClockProps) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && clockOf(typed) === undefined

  function type(next: string) {
    setTyped(next)
    const clock = clockOf(next)
    if (clock && next.length >= 4) onChange(clock)
  }

  function settle() {
    const clock = typed === undefined ? undefined : clockOf(typed)
    if (clock) onChange(clock)
    setTyped(undefined)
  }

  return (
    <TextInput
      aria-label={label}
      className={styles.clock}
      inputMode={isTwelveHour ? 'text' : 'numeric'}
      placeholder={timeOfDay('00:00')}
      maxLength={10}
      value={typed ?? timeOfDay(value)}
      error={isWrong}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={settle}
    />
  )
}
