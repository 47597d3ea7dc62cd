import type { EntityOf } from '@portcullis/contract/collection'
import { tenantProviders, tenants } from '@portcullis/contract/collections/tenants'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './tenant-drawer.module.css'

export type Tenant = EntityOf<typeof tenants>

export function TenantDrawer({ item, onClose }: { item: Tenant | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Tenants')
  const form = useItemForm({ of: tenants, item, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('tenants.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={tenants} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <ChoiceField
        field={form.field('provider')}
        choices={tenantProviders.map((value) => ({ value, label: text(`tenants.providers.${value}`) }))}
      />
      <SwitchField field={form.field('enabled')} />
      <p className={styles.note}>{text('tenants.notYet')}</p>
    </ItemDrawer>
  )
}
