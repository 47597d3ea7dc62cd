import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { units } from '@portcullis/contract/collections/units'
import { Checkbox, Group, Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { DeleteButton } from '../item/delete-button.tsx'
import { NumberField, ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { InterlocksOfDoor } from '../commands/interlocks-of-door.tsx'
import { LockedDown } from '../commands/locked-down.tsx'
import { NoRoomTag } from '../commands/no-room-tag.tsx'
import { UnlockOnce } from '../commands/unlock-once.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { checkDoor, isWired } from './door-wiring.ts'
import { UnlockedBySchedule } from './unlocked-by-schedule.tsx'
import styles from './door-drawer.module.css'

type Door = EntityOf<typeof doors>
type Props = {
  item: Door | undefined
  site: { _id: string; timeZone: string }
  onClose: () => void
  /** Above the form: the door's state and commands. */
  details: (door: Door) => ReactNode
}

export function DoorDrawer({ item, site, onClose, details }: Props) {
  const canManage = useCan('manage', doors.subject)
  const seesUnits = useCan('view', units.subject)
  const form = useDoorForm({ item, site, onClose })
  const unitDoor = form.field('unitDoor')
  const directions = form.field('directions')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('doors.add')}
      canSave={canManage}
      onClose={onClose}
      before={
        item && (
          <>
            <div className={styles.mark}>
              <NoRoomTag door={item} />
              <LockedDown by={item.lockdowns} />
            </div>
            <UnlockedBySchedule door={item} zone={site.timeZone} />
            <InterlocksOfDoor door={item._id} />
            {details(item)}
          </>
        )
      }
      aside={canManage && item && <DeleteButton of={doors} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      {seesUnits && (
        <div className={styles.wired}>
          <ReferenceField of={units} field={form.field('unit')} placeholder={text('form.none')} />
          <NumberField field={{ ...unitDoor, isRequired: form.values.unit !== null }} />
        </div>
      )}
      <div className={styles.pair}>
        <NumberField field={form.field('relockAfterSeconds')} unit="s" />
        <NumberField field={form.field('heldOpenAfterSeconds')} unit="s" />
      </div>
      <Input.Wrapper label={directions.label} error={directions.error} labelElement="div">
        <Group gap={20} mt={4}>
          <Checkbox
            label={text('doors.entryReader')}
            checked={directions.value.entry}
            onChange={(event) => directions.onChange({ ...directions.value, entry: event.currentTarget.checked })}
          />
          <Checkbox
            label={text('doors.exitReader')}
            checked={directions.value.exit}
            onChange={(event) => directions.onChange({ ...directions.value, exit: event.currentTarget.checked })}
          />
        </Group>
      </Input.Wrapper>
      <DecisionFields form={form} />
      <SwitchField field={form.field('enabled')} />
      {item && isWired(item) && item.enabled && (
        <Group gap={6}>
          <UnlockOnce door={item} />
        </Group>
      )}
    </ItemDrawer>
  )
}

/** What the door demands of users in addition to their access, and when it stands open. */
function DecisionFields({ form }: { form: ReturnType<typeof useDoorForm> }) {
  const seesUsers = useCan('view', userGroups.subject)
  const setsModes = useCan('manage', 'Access Control')
  return (
    <>
      <SwitchField field={form.field('requiresPin')} />
      <SwitchField field={form.field('acceptsPinAlone')} />
      <SwitchField field={form.field('requiresTwoPersons')} />
      {seesUsers && (
        <ReferenceField of={userGroups} field={form.field('firstPersonGroup')} placeholder={text('form.none')} />
      )}
      <SwitchField field={form.field('requiresRemoteAuth')} />
      {setsModes && (
        <ReferenceField of={schedules} field={form.field('unlockSchedule')} placeholder={text('form.none')} />
      )}
    </>
  )
}

function useDoorForm({ item, site, onClose }: Omit<Props, 'details'>) {
  const seesUnits = useCan('view', units.subject)
  return useItemForm({
    of: doors,
    item,
    initial: { site: site._id },
    // Users who may not see controllers cannot set the number either.
    check: seesUnits ? checkDoor : undefined,
    onSaved: onClose,
  })
}
