import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { InterlockedDoors } from '../commands/interlocked-doors.tsx'
import { doorNames } from '../commands/door-names.ts'
import { blockingDoors, useInterlocksOf } from '../commands/use-interlocks-of.ts'
import { ReferencesField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { NameOf } from '../item/name-of.tsx'
import { useFieldOf } from '../item/use-field-of.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './interlock-drawer.module.css'

export type Interlock = EntityOf<typeof interlockingGroups>

const of = interlockingGroups

/** An interlock: its doors, and how they are now. */
export function InterlockDrawer({ item, onClose }: { item: Interlock | undefined; onClose: () => void }) {
  const canManage = useCan('manage', of.subject)
  const form = useItemForm({ of, item, onSaved: onClose })
  const field = form.field('doors')
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('interlockingGroups.add')}
      canSave={canManage}
      onClose={onClose}
      aside={
        canManage &&
        item && (
          <DeleteButton
            of={of}
            id={item._id}
            name={item.name}
            hint={text('interlockingGroups.deleteHint')}
            onDeleted={onClose}
          />
        )
      }
      after={item && <DoorsNow interlock={item} />}
    >
      <TextField field={form.field('name')} />
      <ReferencesField of={doors} field={field} second={Place} />
      {field.value.length === 1 && <p className={styles.warning}>{text('interlockingGroups.oneDoor')}</p>}
    </ItemDrawer>
  )
}

/** The site of a door, and its controller. */
function Place({ id }: { id: string }) {
  const site = useFieldOf(doors, { id, field: 'site' })
  const unit = useFieldOf(doors, { id, field: 'unit' })
  return (
    <>
      {site && <NameOf of={sites} id={site} />}
      {unit && (
        <>
          {' · '}
          <NameOf of={units} id={unit} />
        </>
      )}
    </>
  )
}

/** The saved doors of an interlock with their present state. */
function DoorsNow({ interlock }: { interlock: Interlock }) {
  const { data } = useInterlocksOf(interlock.doors[0])
  const now = data?.interlocks.find(({ _id }) => _id === interlock._id)
  if (!now) return null
  const label = text('interlockingGroups.now')
  const blocking = blockingDoors({ interlocks: [now] })
  const [site, ...furtherSites] = new Set(now.doors.map((door) => door.site))
  return (
    <section className={styles.now} aria-label={label}>
      <h3>{label}</h3>
      {blocking.length > 0 && (
        <p className={styles.warning}>
          {text(`interlockingGroups.keepsLocked.${blocking.length === 1 ? 'one' : 'more'}`, {
            doors: doorNames(blocking),
          })}
        </p>
      )}
      <InterlockedDoors label={label} doors={now.doors} site={furtherSites.length === 0 ? site : undefined} />
    </section>
  )
}
