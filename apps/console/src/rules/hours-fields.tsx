import { Input, Radio, SegmentedControl } from '@mantine/core'
import { MomentField } from '../form/moment-field.tsx'
import { serverNow } from '../session/server-clock.ts'
import { text } from '../text/text.ts'
import { useMinute } from '../time/use-minute.ts'
import { boxOf, spans, type TimeBox } from './adhoc-state.ts'
import styles from './hours-fields.module.css'

export type Hours = Omit<Parameters<typeof boxOf>[0], 'zone'>

export const firstHours: Hours = { span: 'hour', from: null, until: null }

const begins = ['now', 'later'] as const

type Props = { hours: Hours; zone: string; error: string | undefined; onChange: (hours: Hours) => void }

/** The beginning and the end of temporary access, with presets. */
export function HoursFields({ hours, zone, error, onChange }: Props) {
  const now = useMinute()
  const put = (changes: Partial<Hours>) => onChange({ ...hours, ...changes })
  return (
    <div className={styles.ends}>
      <Radio.Group
        label={text('adhoc.ends')}
        error={error}
        value={hours.span}
        onChange={(value) => put({ span: spans.find((span) => span === value) ?? 'hour' })}
      >
        <div className={styles.spans}>
          {spans.map((span) => (
            <Radio
              key={span}
              value={span}
              label={text(`adhoc.spans.${span}`)}
              disabled={span !== 'date' && boxOf({ ...hours, span, zone }, now) === null}
            />
          ))}
        </div>
      </Radio.Group>
      {hours.span === 'date' && (
        <MomentField
          field={moment({ value: hours.until, onChange: (until) => put({ until }) })}
          label={text('adhoc.endsAt')}
          zone={zone}
          isEnd
        />
      )}
      <Input.Wrapper label={text('adhoc.begins')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={text('adhoc.begins')}
          value={hours.from === null ? 'now' : 'later'}
          onChange={(begin) => put({ from: begin === 'now' ? null : nextHour() })}
          data={begins.map((value) => ({ value, label: text(`adhoc.${value}`) }))}
        />
      </Input.Wrapper>
      {hours.from !== null && (
        <MomentField
          field={moment({ value: hours.from, onChange: (from) => put({ from: from ?? nextHour() }) })}
          label={text('adhoc.beginsAt')}
          zone={zone}
        />
      )}
    </div>
  )
}

/** The time box, counted from now by the server's clock, which all users share. */
export function boxFromNow(hours: Hours, zone: string): TimeBox | null {
  return boxOf({ ...hours, zone }, new Date(serverNow()))
}

type Moment = { value: string | null; onChange: (value: string | null) => void }

function moment({ value, onChange }: Moment) {
  return {
    name: '',
    label: '',
    hint: undefined,
    value,
    onChange,
    error: undefined,
    isRequired: true,
    isNullable: true,
    isFixed: false,
  }
}

function nextHour() {
  const next = new Date()
  next.setHours(next.getHours() + 1, 0, 0, 0)
  return next.toISOString()
}
