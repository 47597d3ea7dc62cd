import { Button, Select } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { type AntiPassback, antiPassbackKinds } from '@portcullis/domain/policy'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NumberField, ReferencesField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { type FieldOf, useItemForm } from '../form/use-item-form.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import styles from './door-group-drawer.module.css'
import { GroupUses } from './group-uses.tsx'

type DoorGroup = EntityOf<typeof doorGroups>
type Props = { item: object | undefined; onClose: () => void }

const usual = { kind: 'hard', minutes: 10 } as const

/** A door group: its doors, and whether they lead into one area with anti-passback. */
export function DoorGroupDrawer({ item, onClose }: Props) {
  const group = isDoorGroup(item) ? item : undefined
  const canManage = useCan('manage', doorGroups.subject)
  const form = useItemForm({ of: doorGroups, item: group, onSaved: onClose })
  const count = form.field('members').value.length

  return (
    <ItemDrawer
      form={form}
      title={group?.name ?? text('doorGroups.add')}
      canSave={canManage}
      onClose={onClose}
      aside={
        canManage && group && <DeleteButton of={doorGroups} id={group._id} name={group.name} onDeleted={onClose} />
      }
      after={
        group && (
          <>
            {group.antiPassback && <Forgive group={group} />}
            <GroupUses group={group} eventFilter="door" />
          </>
        )
      }
    >
      <TextField field={form.field('name')} />
      <ReferencesField of={doors} field={form.field('members')} description={text('doorGroups.count', { count })} />
      <AntiPassbackFields field={form.field('antiPassback')} />
    </ItemDrawer>
  )
}

/** Whether the doors lead into one area, and how it treats users who enter it again. */
function AntiPassbackFields({ field }: { field: FieldOf<AntiPassback | null> }) {
  const { value, onChange, label, error } = field
  const choices = [
    { value: 'off', label: text('doorGroups.antiPassbackKinds.off') },
    ...antiPassbackKinds.map((kind) => ({ value: kind, label: text(`doorGroups.antiPassbackKinds.${kind}`) })),
  ]

  function choose(next: string | null) {
    const kind = antiPassbackKinds.find((each) => each === next)
    onChange(kind ? { ...usual, ...value, kind } : null)
  }

  return (
    <>
      <Select
        label={label}
        description={text(`doorGroups.antiPassbackHints.${value?.kind ?? 'off'}`)}
        error={error}
        allowDeselect={false}
        data={choices}
        value={value?.kind ?? 'off'}
        onChange={choose}
      />
      {value?.kind === 'timed' && (
        <NumberField
          field={{
            ...field,
            label: text('doorGroups.minutes'),
            value: value.minutes,
            onChange: (minutes) => onChange({ ...value, minutes: minutes ?? 0 }),
          }}
          unit="min"
        />
      )}
    </>
  )
}

/** Lets one user, or everyone, pass once more, wherever they passed last. */
function Forgive({ group: { _id } }: { group: DoorGroup }) {
  const canForgive = useCan('manage', 'Access Control')
  const seesUsers = useCan('view', users.subject)
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [user, setUser] = useState<string | null>(null)
  const forgiving = useMutation({
    mutationFn: (who: string | null) => client.forgive(_id, who),
    onSuccess: async (_, who) => {
      setUser(null)
      toast({ text: text(who === null ? 'doorGroups.forgivenAll' : 'doorGroups.forgivenOne') })
      await queryClient.invalidateQueries({ queryKey: collectionKey(doorGroups, ref) })
    },
  })
  const press = useSinglePress(() => forgiving.mutateAsync(user))
  const pressAll = useSinglePress(() => forgiving.mutateAsync(null))
  if (!canForgive) return null
  return (
    <section className={styles.forgive} aria-labelledby="forgive">
      <h3 id="forgive">{text('doorGroups.forgive')}</h3>
      <p className="soft">{text('doorGroups.forgiveHint')}</p>
      {seesUsers && (
        <div className={styles.one}>
          <ReferencePicker of={users} label={text('doorGroups.forgiveUser')} value={user} onChange={setUser} />
          <Button variant="default" disabled={user === null} loading={forgiving.isPending} onClick={press}>
            {text('doorGroups.forgiveOne')}
          </Button>
        </div>
      )}
      <Button variant="default" loading={forgiving.isPending} onClick={pressAll}>
        {text('doorGroups.forgiveAll')}
      </Button>
      {forgiving.error && (
        <p role="alert" className="refusal">
          {messageOf(forgiving.error)}
        </p>
      )}
    </section>
  )
}

function isDoorGroup(item: object | undefined): item is DoorGroup {
  return item !== undefined && 'antiPassback' in item
}
