import { Button, Group, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../ui/list-notice.tsx'
import { dateAndTime } from '../time/time-text.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import type { Door } from './door-columns.tsx'
import type { WantMode } from './door-verbs.tsx'

const lengths = [15, 30, 60, 120, 240, 480] as const

/** For how long a door is to stay unlocked, and the moment at which it locks again. */
export function HoldUntil({ door: { name }, want, onClose }: { door: Door; want: WantMode; onClose: () => void }) {
  const [minutes, setMinutes] = useState<number>(30)
  const now = useMinute()
  const press = useSinglePress(() =>
    want.mutateAsync({ mode: 'unlocked', until: endAfter(minutes, new Date()).toISOString() }),
  )

  return (
    <Modal opened onClose={onClose} title={text('doorModes.holdTitle', { name })} withCloseButton={false}>
      <SegmentedControl
        fullWidth
        aria-label={text('doorModes.until')}
        value={String(minutes)}
        onChange={(value) => setMinutes(Number(value))}
        data={lengths.map((length) => ({ value: String(length), label: shortly(length) }))}
      />
      <p style={{ marginTop: 12 }}>
        {text('doorModes.until')} <b>{dateAndTime(endAfter(minutes, now), { now, isTimeOnly: true })}</b>
      </p>
      <p className="soft">{text('doorModes.holdHint')}</p>
      <p role="alert" className="refusal">
        {want.isError ? messageOf(want.error) : ''}
      </p>
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" onClick={onClose}>
          {text('action.cancel')}
        </Button>
        <Button data-autofocus loading={want.isPending} onClick={press}>
          {text('doorModes.holdDo')}
        </Button>
      </Group>
    </Modal>
  )
}

function endAfter(minutes: number, from: Date) {
  return new Date(from.getTime() + minutes * 60_000)
}

function shortly(minutes: number) {
  return minutes < 60 ? `${minutes} min` : `${minutes / 60} h`
}
