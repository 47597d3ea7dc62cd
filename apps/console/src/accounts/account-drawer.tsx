import { Select } from '@mantine/core'
import { type BrandKey, brandKeys, brands } from '@portcullis/contract/brands'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { ReactNode } from 'react'
import { DeleteButton } from '../item/delete-button.tsx'
import { NumberField, ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { TimeZoneField } from '../form/time-zone-field.tsx'
import { type FieldOf, useItemForm } from '../form/use-item-form.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { PictureField } from './picture-field.tsx'
import { refFrom } from './ref-from.ts'

type Account = EntityOf<typeof accounts>

type Props = {
  item: Account | undefined
  /** The account in which the console stands: it is not deleted from within. */
  standsIn: string
  /** Above the form: where the account stands. */
  before: ReactNode
  onClose: () => void
  onChanged: () => void
}

/** An account: what it is called, where it stands, and what holds for everybody in it. */
export function AccountDrawer({ item, standsIn, before, onClose, onChanged }: Props) {
  const canManage = useCan('manage', 'Accounts')
  const account = useAccount()
  const form = useItemForm({
    of: accounts,
    item,
    // A new account stands below the one that is open, and keeps its time.
    initial: { parent: account._id, defaultTimeZone: account.defaultTimeZone },
    onSaved: () => {
      onChanged()
      onClose()
    },
  })
  const [name, ref] = [form.field('name'), form.field('ref')]
  const canDelete = canManage && item !== undefined && item.ref !== standsIn

  function rename(next: string | null) {
    name.onChange(next ?? '')
    // Until somebody writes a ref of their own, it follows the name.
    if (!item && ref.value === refFrom(name.value)) ref.onChange(refFrom(next ?? ''))
  }

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('accounts.add')}
      canSave={canManage}
      onClose={onClose}
      before={before}
      aside={
        canDelete && (
          <DeleteButton
            of={accounts}
            id={item._id}
            name={item.name}
            hint={text('accounts.deleteHint')}
            onDeleted={() => {
              onChanged()
              onClose()
            }}
          />
        )
      }
    >
      <TextField field={{ ...name, isNullable: false, onChange: rename }} />
      <TextField field={{ ...ref, isRequired: true }} />
      {!item && <ReferenceField of={accounts} field={{ ...form.field('parent'), isRequired: true }} />}
      <TimeZoneField field={form.field('defaultTimeZone')} />
      {item && canManage && <PictureField />}
      <BrandField field={form.field('brand')} />
      <NumberField field={form.field('recertifyEveryDays')} unit={text('accounts.days')} />
      <SwitchField field={form.field('enforceMfa')} />
    </ItemDrawer>
  )
}

function BrandField({ field }: { field: FieldOf<BrandKey | null> }) {
  return (
    <Select
      label={field.label}
      description={field.hint}
      name={field.name}
      error={field.error}
      placeholder={text('accounts.brandOfParent')}
      clearable
      data={brandKeys.map((key) => ({ value: key, label: brands[key].product }))}
      value={field.value}
      onChange={(chosen) => field.onChange(brandKeys.find((key) => key === chosen) ?? null)}
    />
  )
}
