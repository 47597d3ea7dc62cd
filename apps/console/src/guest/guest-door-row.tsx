import { Button } from '@mantine/core'
import type { GuestDoor } from '@portcullis/contract/calls/guests'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSinglePress } from '../ui/use-single-press.ts'
import { guestFailure } from './guest-failure.ts'
import styles from './guest-page.module.css'
import { findText, text } from './guest-words.ts'

type Props = { door: GuestDoor; canOpen: boolean; onOpen: (door: string) => Promise<string | null> }

/** A door with its button, and what became of the press. */
export function GuestDoorRow({ door: { _id, name, site, command: latest }, canOpen, onOpen }: Props) {
  const open = useMutation({ mutationFn: () => onOpen(_id) })
  const press = useSinglePress(() => open.mutateAsync())
  const command = useCurrent(latest, open)
  const isUnderWay = open.isPending || command?.status === 'requested' || command?.status === 'sent'
  return (
    <li className={styles.door}>
      <div className={styles.name}>
        <b>{name}</b>
        <small>{site}</small>
      </div>
      <Button
        size="md"
        disabled={!canOpen}
        loading={isUnderWay}
        aria-label={text('guest.openDoor', { door: name })}
        onClick={press}
      >
        {text('guest.open')}
      </Button>
      <p className={styles.status} role="status" data-status={open.isPending ? undefined : command?.status}>
        {statusOf({
          command,
          refused: open.data,
          error: open.error,
          isPending: open.isPending,
        })}
      </p>
    </li>
  )
}

/** Doors relock after 5 s, unless they are set otherwise. */
const unlockedMs = 5_000

/** The command, unless it was confirmed before this page was opened or some time ago: the door has locked again. */
function useCurrent(command: GuestDoor['command'], { isSuccess }: { isSuccess: boolean }) {
  const [over, setOver] = useState<string | null>(null)
  const confirmed = command?.status === 'confirmed' ? command._id : null
  useEffect(() => {
    if (confirmed === null) return
    const timer = setTimeout(() => setOver(confirmed), unlockedMs)
    return () => clearTimeout(timer)
  }, [confirmed])
  return confirmed !== null && (!isSuccess || confirmed === over) ? null : command
}

type Status = Pick<GuestDoor, 'command'> & { refused: string | null | undefined; error: unknown; isPending: boolean }

function statusOf({ command, refused, error, isPending }: Status) {
  if (isPending) return text('guest.status.requested')
  if (error) return guestFailure(error)
  if (refused) return refusalText(refused) ?? text('guest.refused.other')
  if (!command) return ''
  const { status, detail } = command
  return (status === 'refused' && detail !== null && refusalText(detail)) || text(`guest.status.${status}`)
}

function refusalText(reason: string) {
  return findText(`guest.refused.${reason}`)
}
