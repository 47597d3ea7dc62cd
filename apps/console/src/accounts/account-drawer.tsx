import { Select } from '@mantine/core'
import { type BrandKey, brandKeys, brands } from '@portcullis/contract/brands'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { ReactNode } from 'react'
import { DeleteButton } from '../item/delete-button.tsx'
import { NumberField, ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { TimeZoneField } from '../form/time-zone-field.tsx'
import { type FieldOf, useItemForm, type ValuesOf } from '../form/use-item-form.ts'
import type { CurrentAccount } from '@portcullis/contract/calls/authentication'
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

const labels = {
  name: text('accounts.name'),
  ref: text('accounts.ref'),
  parent: text('accounts.parent'),
  defaultTimeZone: text('accounts.defaultTimeZone'),
  recertifyEveryDays: text('accounts.recertify'),
  enforceMfa: text('accounts.enforceMfa'),
  brand: text('accounts.brand'),
}

/** An account: what it is called, where it stands, and what holds for everybody in it. */
export function AccountDrawer({ item, standsIn, before, onClose, onChanged }: Props) {
  const canManage = useCan('manage', 'Accounts')
  const account = useAccount()
  const form = useItemForm({
    of: accounts,
    item,
    valuesOf: (known) => accountValues(known, account),
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
      labels={labels}
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
      <TextField field={{ ...name, isNullable: false, onChange: rename }} label={labels.name} />
      <TextField field={{ ...ref, isRequired: true }} label={labels.ref} description={text('accounts.refHint')} />
      {!item && (
        <ReferenceField
          of={accounts}
          field={{ ...form.field('parent'), isRequired: true }}
          label={labels.parent}
          description={text('accounts.parentHint')}
        />
      )}
      <TimeZoneField
        field={form.field('defaultTimeZone')}
        label={labels.defaultTimeZone}
        description={text('accounts.defaultTimeZoneHint')}
      />
      {item && canManage && <PictureField />}
      <BrandField field={form.field('brand')} />
      <NumberField
        field={form.field('recertifyEveryDays')}
        label={labels.recertifyEveryDays}
        unit={text('accounts.days')}
        description={text('accounts.recertifyHint')}
      />
      <SwitchField
        field={form.field('enforceMfa')}
        label={labels.enforceMfa}
        description={text('accounts.enforceMfaHint')}
      />
    </ItemDrawer>
  )
}

function BrandField({ field }: { field: FieldOf<BrandKey | null> }) {
  return (
    <Select
      label={labels.brand}
      description={text('accounts.brandHint')}
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

/** A new account stands below the one that one is in, and keeps its time. */
function accountValues(account: Account | undefined, current: CurrentAccount): ValuesOf<typeof accounts> {
  return {
    name: account?.name ?? '',
    ref: account?.ref ?? '',
    parent: account ? account.parent : current._id,
    defaultTimeZone: account?.defaultTimeZone ?? current.defaultTimeZone,
    recertifyEveryDays: account?.recertifyEveryDays ?? null,
    enforceMfa: account?.enforceMfa ?? false,
    brand: account?.brand ?? null,
  }
}
