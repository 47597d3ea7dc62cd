import { Button, CloseButton, Input } from '@mantine/core'
import type { Window } from '@portcullis/domain/policy'
import { IconPlus } from '@tabler/icons-react'
import type { FieldOf } from '../form/use-item-form.ts'
import { windowsInWords } from '../time/hours-in-words.ts'
import { text } from '../text/text.ts'
import { isTime } from '../time/clock-of.ts'
import { DayToggles } from './day-toggles.tsx'
import { HoursInput } from './hours-input.tsx'
import styles from './windows-field.module.css'

type Writable = { days: number[]; start: string; end: string }
type Props = { field: FieldOf<Writable[]>; canEdit: boolean }

/** The hours of a week: days with a start and an end, as many as are needed. */
export function WindowsField({ field, canEdit }: Props) {
  const { value: windows, onChange } = field

  function put(index: number, window: Writable) {
    onChange(windows.map((each, at) => (at === index ? window : each)))
  }

  return (
    <Input.Wrapper label={field.label} description={field.hint} error={field.error} labelElement="div">
      {windows.length === 0 && <p className={styles.none}>{text('schedules.noWindows')}</p>}
      <div className={styles.windows}>
        {windows.map((window, index) => (
          <fieldset key={`${index}`} className={styles.window} aria-label={windowsInWords([window])}>
            <DayToggles days={window.days} onChange={(days) => put(index, { ...window, days })} />
            <div className={styles.hours}>
              <HoursInput hours={window} onChange={(hours) => put(index, { ...window, ...hours })} />
              {canEdit && (
                <CloseButton
                  aria-label={text('schedules.removeWindow')}
                  onClick={() => onChange(windows.filter((_, at) => at !== index))}
                />
              )}
            </div>
            {window.days.length > 0 ? (
              isTime(window.start) && isTime(window.end) && <p className={styles.words}>{windowsInWords([window])}</p>
            ) : (
              <p className={styles.none}>{text('schedules.noDay')}</p>
            )}
          </fieldset>
        ))}
      </div>
      {canEdit && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...windows, nextWindow(windows)])}
        >
          {text('schedules.addWindow')}
        </Button>
      )}
    </Input.Wrapper>
  )
}

/** The days without hours, at the hours of the last window. */
function nextWindow(windows: readonly Window[]): Writable {
  const taken = new Set(windows.flatMap(({ days }) => days))
  const free = [1, 2, 3, 4, 5, 6, 7].filter((day) => !taken.has(day))
  const last = windows.at(-1)
  return { days: free.length > 0 ? free : [1], start: last?.start ?? '08:00', end: last?.end ?? '17:00' }
}
