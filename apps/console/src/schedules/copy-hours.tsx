import { Button, Group, NativeSelect } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { dayName } from '../time/hours-in-words.ts'
import { copyDay } from './copy-day.ts'
import styles from './copy-hours.module.css'
import { DayToggles, weekDays } from './day-toggles.tsx'
import type { WritableWindow } from './draw-week.ts'

type Props = { windows: readonly WritableWindow[]; onChange: (windows: WritableWindow[]) => void }

/** Copies the hours of one day to other days, whose own hours they replace. */
export function CopyHours({ windows, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [from, setFrom] = useState(1)
  const [to, setTo] = useState<number[]>([])

  function selectFrom(day: number) {
    setFrom(day)
    setTo(to.filter((each) => each !== day))
  }

  function copy() {
    onChange(copyDay(windows, { from, to }))
    close()
  }

  function close() {
    setOpen(false)
    setTo([])
  }

  if (!isOpen) {
    return (
      <Button
        className={styles.opener}
        variant="subtle"
        size="xs"
        leftSection={<IconCopy size={14} aria-hidden="true" />}
        disabled={windows.length === 0}
        onClick={() => setOpen(true)}
      >
        {text('schedules.copyHours')}
      </Button>
    )
  }
  return (
    <fieldset className={styles.copy} aria-label={text('schedules.copyHours')}>
      <NativeSelect
        autoFocus
        label={text('schedules.copyFrom')}
        data={weekDays.map((day) => ({ value: `${day}`, label: dayName(day) }))}
        value={`${from}`}
        onChange={(event) => selectFrom(Number(event.currentTarget.value))}
      />
      <div>
        <p aria-hidden="true">{text('schedules.copyTo')}</p>
        <DayToggles label={text('schedules.copyTo')} days={to} without={from} onChange={setTo} />
      </div>
      <Group gap={8} justify="flex-end">
        <Button size="xs" variant="default" onClick={close}>
          {text('action.cancel')}
        </Button>
        <Button size="xs" disabled={to.length === 0} onClick={copy}>
          {text('schedules.copy')}
        </Button>
      </Group>
    </fieldset>
  )
}
