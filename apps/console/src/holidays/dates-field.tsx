import { Button, CloseButton, Input, Switch } from '@mantine/core'
import { holidayBounds } from '@portcullis/contract/collections/holidays'
import type { HolidayDates } from '@portcullis/domain/policy'
import { IconPlus } from '@tabler/icons-react'
import type { FieldOf } from '../form/use-item-form.ts'
import { text } from '../text/text.ts'
import { DateInput } from '../time/date-input.tsx'
import styles from './dates-field.module.css'

type Writable = { -readonly [K in keyof HolidayDates]: HolidayDates[K] }
type Props = { field: FieldOf<Writable[]>; canEdit: boolean }

/** Ranges of days, as many as are needed; civil days, without a time zone. */
export function DatesField({ field, canEdit }: Props) {
  const { value: dates, onChange } = field

  function put(index: number, changes: Partial<Writable>) {
    onChange(dates.map((each, at) => (at === index ? { ...each, ...changes } : each)))
  }

  /** A single day is the usual case: the last day follows the first. */
  function putFrom(index: number, from: string, { until, from: before }: Writable) {
    put(index, { from, until: until === '' || until === before || until < from ? from : until })
  }

  return (
    <Input.Wrapper label={field.label} description={field.hint} error={field.error} required labelElement="div">
      <div className={styles.list}>
        {dates.map((each, index) => (
          <div key={`${index}`} className={styles.dates}>
            <DateInput
              label={text('holidays.from')}
              value={each.from}
              min={holidayBounds.first}
              max={holidayBounds.last}
              onChange={(from) => putFrom(index, from, each)}
            />
            <DateInput
              label={text('holidays.until')}
              value={each.until}
              min={each.from}
              max={holidayBounds.last}
              onChange={(until) => put(index, { until })}
            />
            {canEdit && dates.length > 1 && (
              <CloseButton
                aria-label={text('holidays.removeDates')}
                onClick={() => onChange(dates.filter((_, at) => at !== index))}
              />
            )}
            <Switch
              label={text('holidays.recurring')}
              checked={each.recurring}
              onChange={(event) => put(index, { recurring: event.currentTarget.checked })}
            />
          </div>
        ))}
      </div>
      {canEdit && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...dates, { from: '', until: '', recurring: false }])}
        >
          {text('holidays.addDates')}
        </Button>
      )}
    </Input.Wrapper>
  )
}
