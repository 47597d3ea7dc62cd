import { Button, CloseButton, Input, SegmentedControl } from '@mantine/core'
import { type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import { IconPlus } from '@tabler/icons-react'
import type { FieldOf } from '../form/use-item-form.ts'
import { text } from '../text/text.ts'
import styles from './holiday-hours-field.module.css'
import { HoursInput } from './hours-input.tsx'

type Writable = 'closed' | 'asUsual' | { start: string; end: string }[]
type Props = { field: FieldOf<Record<HolidayKind, Writable>>; canEdit: boolean }

/** What the schedule does on each kind of holiday: stays closed, keeps its hours, or has hours of its own. */
export function HolidayHoursField({ field, canEdit }: Props) {
  const { value, onChange } = field
  return (
    <Input.Wrapper label={field.label} error={field.error} labelElement="div">
      <div className={styles.kinds}>
        {holidayKinds.map((kind) => (
          <KindHours
            key={kind}
            kind={kind}
            hours={value[kind]}
            canEdit={canEdit}
            onChange={(hours) => onChange({ ...value, [kind]: hours })}
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}

type KindProps = { kind: HolidayKind; hours: Writable; canEdit: boolean; onChange: (hours: Writable) => void }

function KindHours({ kind, hours, canEdit, onChange }: KindProps) {
  const own = typeof hours === 'string' ? [] : hours
  const name = text(`holidays.kinds.${kind}`)

  function choose(choice: string) {
    if (choice === 'own') onChange([{ start: '10:00', end: '12:00' }])
    else onChange(choice === 'asUsual' ? 'asUsual' : 'closed')
  }

  return (
    <div className={styles.kind}>
      <span>{name}</span>
      <SegmentedControl
        size="xs"
        aria-label={name}
        disabled={!canEdit}
        value={typeof hours === 'string' ? hours : 'own'}
        onChange={choose}
        data={[
          { value: 'closed', label: text('schedules.closed') },
          { value: 'asUsual', label: text('schedules.asUsual') },
          { value: 'own', label: text('schedules.own') },
        ]}
      />
      {own.map((each, index) => (
        <div key={`${index}`} className={styles.own}>
          <HoursInput hours={each} onChange={(next) => onChange(own.map((old, at) => (at === index ? next : old)))} />
          {canEdit && own.length > 1 && (
            <CloseButton
              aria-label={text('schedules.removeWindow')}
              onClick={() => onChange(own.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {canEdit && own.length > 0 && (
        <Button
          className={styles.own}
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...own, { start: '14:00', end: '16:00' }])}
        >
          {text('schedules.addHours')}
        </Button>
      )}
    </div>
  )
}
