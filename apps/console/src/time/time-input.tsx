import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { clockOf, type DayHalf, timeAt } from './clock-of.ts'
import { halfOfDay, timeOfDay } from './site-time.ts'
import { minutesADay } from './week-lanes.ts'

type Props = Pick<TextInputProps, 'aria-label' | 'className' | 'error' | 'disabled' | 'size'> & {
  /** `18:00`, up to `24:00`; empty; or typed text that is no time. */
  value: string
  onChange: (time: string) => void
  /** Inside another popover, which a click outside it would close. */
  isInPopover?: boolean
}

/** A time as it can be typed. */
export const timeExample = timeOfDay('18:30')

const halfHours = Array.from({ length: minutesADay / 30 }, (_, index) => timeAt(index * 30))

/**
 * A time of day on the viewer's 12- or 24-hour clock, typed (`7`, `1430`, `7.45 pm`) or picked from a list. On a 12-hour clock an
 * hour without AM or PM is in the half of the day of the time that it replaces; its meaning is shown while it is typed. Typed text
 * that is no time stays in the field and becomes the value, so that no form can save it; an emptied field keeps its time.
 */
export function TimeInput({ value, onChange, error, isInPopover = false, ...props }: Props) {
  /** The text while it is being typed. */
  const [typed, setTyped] = useState<string>()
  const [half, setHalf] = useState<DayHalf>()
  const combobox = useCombobox()
  const resolved = typed === undefined || halfOfDay(value) === undefined ? undefined : clockOf(typed, half)
  const isInvalid = typed === undefined && value !== '' && clockOf(value) === undefined

  function type(next: string) {
    const assumed = typed === undefined ? halfOfDay(value) : half
    setHalf(assumed)
    setTyped(next)
    combobox.closeDropdown()
    const time = clockOf(next, assumed)
    if (time !== undefined) onChange(time)
  }

  function finish() {
    combobox.closeDropdown()
    setTyped(undefined)
    const text = typed?.trim() ?? ''
    if (text !== '') onChange(clockOf(text, half) ?? text)
  }

  function pick(time: string) {
    setTyped(undefined)
    combobox.closeDropdown()
    onChange(time)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal={!isInPopover} width="max-content">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...props}
          role="combobox"
          autoComplete="off"
          maxLength={20}
          placeholder={timeOfDay('00:00')}
          value={typed ?? timeOfDay(value)}
          description={resolved === undefined ? undefined : timeOfDay(resolved)}
          inputWrapperOrder={['input', 'description']}
          error={Boolean(error) || isInvalid}
          onChange={(event) => type(event.currentTarget.value)}
          onClick={() => combobox.openDropdown()}
          onBlur={finish}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && typed !== undefined) finish()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <HalfHours label={props['aria-label']} value={value} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The list, scrolled to the time that is entered, or to the morning. */
function HalfHours({ label, value }: { label: string | undefined; value: string }) {
  const nearest = useRef<HTMLDivElement>(null)
  const entered = clockOf(value) ?? '08:00'
  const shown = halfHours.findLast((time) => time <= entered)
  useEffect(() => {
    nearest.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Combobox.Options aria-label={label} mah={220} style={{ overflowY: 'auto' }}>
      {halfHours.map((time) => (
        <Combobox.Option key={time} value={time} active={time === value} ref={time === shown ? nearest : undefined}>
          {timeOfDay(time)}
        </Combobox.Option>
      ))}
    </Combobox.Options>
  )
}
