import { Button } from '@mantine/core'
import { tenantProviders, tenants } from '@portcullis/contract/collections/tenants'
import type { EntityOf } from '@portcullis/contract/collection'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import styles from './tenant-drawer.module.css'

const columns: Column<Tenant>[] = [
  {
    key: 'name',
    sort: 'name',
    phone: 'title',
    width: '38%',
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    key: 'provider',
    sort: 'provider',
    phone: 'plain',
    cell: ({ provider }) => text(`tenants.providers.${provider}`),
  },
  {
    key: 'enabled',
    label: text('tenants.state'),
    sort: 'enabled',
    phone: 'aside',
    width: '150px',
    cell: ({ enabled }) => <StateTag state={enabled ? 'enabled' : 'disabled'} />,
  },
  {
    key: 'changed',
    sort: 'updatedAt',
    phone: 'line',
    width: '170px',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
]

const filters: ListFilter[] = [
  {
    name: 'provider',
    label: text('tenants.provider'),
    kind: 'choice',
    choices: choicesOf(tenantProviders, (provider) => text(`tenants.providers.${provider}`)),
  },
  {
    name: 'enabled',
    label: text('tenants.state'),
    kind: 'yesNo',
    yes: text('state.enabled'),
    no: text('state.disabled'),
  },
]

const actions: readonly BulkAction<Tenant>[] = [
  patchAction({
    of: tenants,
    key: 'enable',
    label: text('tenants.enable'),
    title: (count) => text('tenants.enableMany', { count }),
    changes: () => ({ enabled: true }),
  }),
  patchAction({
    of: tenants,
    key: 'disable',
    label: text('tenants.disable'),
    title: (count) => text('tenants.disableMany', { count }),
    changes: () => ({ enabled: false }),
  }),
  deleteAction({ of: tenants, title: (count) => text('tenants.deleteMany', { count }) }),
]

/** Identity providers: services that sign in users of an account. */
export function TenantsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Tenants')
  const add = canManage && <Button onClick={openNew}>{text('tenants.add')}</Button>
  return (
    <Screen title={text('tenants.title')} actions={add}>
      <CollectionTable
        of={tenants}
        label={text('tenants.title')}
        columns={columns}
        filters={filters}
        bulk={canManage ? actions : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('tenants.empty'), hint: text('tenants.emptyHint'), action: add }}
      />
      <OpenItem of={tenants}>{(drawer) => <TenantDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

type Tenant = EntityOf<typeof tenants>

function TenantDrawer({ item, onClose }: { item: Tenant | undefined; onClose: () => void }) {
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
