import { Button, type ButtonProps, CloseButton, Popover } from '@mantine/core'
import type { DoorCommand } from '@portcullis/contract/calls/units'
import { IconLockOpen } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { messageOf } from '../ui/list-notice.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { Time } from '../time/time.tsx'
import { client } from '../session/client.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { deliveryFaultText, isInterlock } from './delivery-fault-text.ts'
import { type DoorLockdowns, LockedDown } from './locked-down.tsx'
import { InterlockNow } from './interlock-now.tsx'
import { useRoomOf } from './use-room-of.ts'
import { commandSteps, isSettled } from './command-steps.ts'
import styles from './unlock-once.module.css'

type Props = {
  door: { _id: string; name: string; unit: string | null; lockdowns: DoorLockdowns }
  variant?: ButtonProps['variant']
  size?: ButtonProps['size']
}

const pollEveryMs = 400
const icon = <IconLockOpen size={15} aria-hidden="true" />

/** The button that unlocks a door once, for users with permission; then its progress, as far as the controller has confirmed it. */
export function UnlockOnce({ door, variant = 'default', size }: Props) {
  const mayRemote = useCan('manage', 'RemoteAuth')
  const mayControllers = useCan('manage', 'Controllers')
  const give = useMutation({ mutationFn: () => client.unlockOnce(door._id) })
  const press = useSinglePress(() => give.mutateAsync())
  const room = useRoomOf({ door: door._id, unit: door.unit })
  const reason = useId()
  const isShown = give.isPending || give.isError || give.isSuccess
  if (!mayRemote && !mayControllers) return null
  const isLockedDown = door.lockdowns.length > 0
  if (isLockedDown || room === 'lacking') {
    return (
      <div className={styles.disabled}>
        <Button variant={variant} size={size} leftSection={icon} disabled aria-describedby={reason}>
          {text('doors.unlockOnce')}
        </Button>
        <small id={reason}>{isLockedDown ? <LockedDown by={door.lockdowns} /> : text('doors.noRoom')}</small>
      </div>
    )
  }

  return (
    <Popover
      opened={isShown}
      onChange={(isOpen) => !isOpen && give.reset()}
      position="bottom-end"
      width={264}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant={variant}
          size={size}
          leftSection={icon}
          disabled={room === 'loading'}
          loading={give.isPending}
          onClick={press}
        >
          {text('doors.unlockOnce')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className={styles.head}>
          <b>{text('doors.unlocking', { name: door.name })}</b>
          <CloseButton size="sm" aria-label={text('action.close')} onClick={give.reset} />
        </div>
        {give.isError && (
          <p role="alert" className={styles.failure}>
            {messageOf(give.error)}
          </p>
        )}
        {give.data && <Progress given={give.data} onLeave={give.reset} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Progress({ given, onLeave }: { given: DoorCommand; onLeave: () => void }) {
  const { data: command } = useQuery({
    queryKey: ['command', given._id],
    queryFn: () => client.doorCommand(given._id),
    initialData: given,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (state.data && isSettled(state.data) ? false : pollEveryMs),
  })
  return (
    <>
      <ol className={styles.steps} aria-live="polite">
        {commandSteps(command).map(({ step, at }) => (
          <li key={step} data-waits={at === null ? '' : undefined}>
            {at === null ? <StateTag state="waiting">{text(`state.${step}`)}</StateTag> : <StateTag state={step} />}
            {at !== null && <Time at={at} as="time" />}
          </li>
        ))}
      </ol>
      {command.detail && <p className={styles.detail}>{deliveryFaultText(command.detail)}</p>}
      {isInterlock(command.detail) && (
        <InterlockNow door={command.door} className={styles.interlock} onLeave={onLeave} />
      )}
    </>
  )
}
