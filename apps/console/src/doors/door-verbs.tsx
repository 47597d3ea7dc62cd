import { ActionIcon, Button, Menu, Modal, SegmentedControl } from '@mantine/core'
import { doors } from '@portcullis/contract/collections/doors'
import type { DoorModeRequest } from '@portcullis/contract/calls/door-modes'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { IconBan, IconCalendarTime, IconDots, IconLock, IconLockOpen } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { InterlockNow } from '../commands/interlock-now.tsx'
import { otherDoors, useInterlocksOf } from '../commands/use-interlocks-of.ts'
import { useRoomOf } from '../commands/use-room-of.ts'
import { collectionKey } from '../item/keys.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { useMinute } from '../time/use-minute.ts'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import type { Door } from './door-columns.tsx'
import { Time } from '../time/time.tsx'
import styles from './door-verbs.module.css'
import { useSiteZone } from '../item/use-site-zone.ts'

type Verb = 'hold' | 'block' | 'lockdown'

/** The door modes and commands in addition to Unlock once; each explains its effect before it runs. */
export function DoorVerbs({ door }: { door: Door }) {
  const [verb, setVerb] = useState<Verb>()
  const mayManage = useCan('manage', 'Access Control')
  const modeChange = useDoorMode(door, () => setVerb(undefined))
  const room = useRoomOf({ door: door._id, unit: door.unit })
  const isNormal = modeAt(door, useMinute().getTime()) === 'normal'
  const isLockedDown = door.lockdowns.length > 0
  if (!mayManage) return null

  return (
    <>
      <Menu width={230}>
        <Menu.Target>
          <ActionIcon size={30} aria-label={text('doorModes.more', { name: door.name })}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLockedDown && (
            <Menu.Label>
              {text('lockdowns.lockedBy', { name: listOf(door.lockdowns.map(({ name }) => name)) })}
            </Menu.Label>
          )}
          <Menu.Item
            leftSection={<IconLockOpen size={16} aria-hidden="true" />}
            disabled={isLockedDown || room === 'lacking' || room === 'loading'}
            onClick={() => setVerb('hold')}
          >
            {text('doorModes.hold')}
            {room === 'lacking' && <small className={styles.reason}>{text('doors.noRoom')}</small>}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBan size={16} aria-hidden="true" />}
            disabled={isLockedDown}
            onClick={() => setVerb('block')}
          >
            {text('doorModes.block')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLock size={16} aria-hidden="true" />}
            disabled={isLockedDown}
            onClick={() => setVerb('lockdown')}
          >
            {text('doorModes.lockdown')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconCalendarTime size={16} aria-hidden="true" />}
            disabled={isLockedDown || isNormal}
            onClick={() => modeChange.mutate({ mode: 'normal' })}
          >
            {text('doorModes.restore')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {verb === 'hold' && <HoldUntil door={door} modeChange={modeChange} onClose={() => setVerb(undefined)} />}
      {verb !== undefined && verb !== 'hold' && (
        <ConfirmMode door={door} verb={verb} modeChange={modeChange} onClose={() => setVerb(undefined)} />
      )}
    </>
  )
}

export type ModeChange = ReturnType<typeof useDoorMode>

function useDoorMode(door: Door, onRequested: () => void) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: DoorModeRequest) => client.setDoorMode(door._id, request),
    onSuccess: async () => {
      onRequested()
      await queryClient.invalidateQueries({ queryKey: collectionKey(doors, ref) })
    },
    onError: (error, { mode }) => {
      // Return to schedule has no dialog to show the error.
      if (mode === 'normal') toast({ tone: 'refusal', text: messageOf(error) })
    },
  })
}

type Dialog = { door: Door; modeChange: ModeChange; onClose: () => void }

function ConfirmMode({ door: { name }, verb, modeChange, onClose }: Dialog & { verb: 'block' | 'lockdown' }) {
  const press = useSinglePress(() => modeChange.mutateAsync({ mode: verb === 'block' ? 'blocked' : 'lockdown' }))
  return (
    <Modal opened onClose={onClose} title={text(`doorModes.${verb}Title`, { name })} withCloseButton={false}>
      <p className="soft">{text(`doorModes.${verb}Hint`)}</p>
      <DialogFoot error={modeChange.error} onCancel={onClose} focus="cancel">
        <Button color="no" loading={modeChange.isPending} onClick={press}>
          {text(`doorModes.${verb}Do`)}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

const lengths = [15, 30, 60, 120, 240, 480] as const

/** How long a door stays unlocked, and when it locks again. */
function HoldUntil({ door: { _id, name, site }, modeChange, onClose }: Dialog) {
  const [minutes, setMinutes] = useState<number>(30)
  const now = useMinute()
  const zone = useSiteZone(site)
  const press = useSinglePress(() =>
    modeChange.mutateAsync({ mode: 'unlocked', until: endAfter(minutes, new Date()).toISOString() }),
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
        {text('doorModes.until')}{' '}
        <b>
          <Time at={endAfter(minutes, now).toISOString()} zone={zone} as="time" />
        </b>
      </p>
      <p className="soft">{text('doorModes.holdHint')}</p>
      <HoldInterlocked door={_id} onLeave={onClose} />
      <DialogFoot error={modeChange.error} onCancel={onClose}>
        <Button data-autofocus loading={modeChange.isPending} onClick={press}>
          {text('doorModes.holdDo')}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

/** What a hold does to the other doors of an interlock. Without an answer it is shown for any door. */
function HoldInterlocked({ door, onLeave }: { door: string; onLeave: () => void }) {
  const { data, isError } = useInterlocksOf(door)
  const others = data ? otherDoors(data, door) : []
  if (others.length === 0 && !isError) return null
  return (
    <div className={styles.interlock}>
      <p className="soft">{text('doorModes.holdInterlocked')}</p>
      <InterlockNow door={door} onLeave={onLeave} />
    </div>
  )
}

function endAfter(minutes: number, from: Date) {
  return new Date(from.getTime() + minutes * 60_000)
}

function shortly(minutes: number) {
  return minutes < 60 ? `${minutes} min` : `${minutes / 60} h`
}
