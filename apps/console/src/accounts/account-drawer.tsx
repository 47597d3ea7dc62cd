import { Button, FileButton, Select } from '@mantine/core'
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
import { BlobImage } from '../ui/blob-image.tsx'
import { messageOf } from '../ui/list-notice.tsx'
import { client } from '../session/client.ts'
import { useAccountPicture } from '../session/use-account-picture.ts'
import styles from './account-dialogs.module.css'
import { useAccountChange } from './use-account-change.ts'

type Account = EntityOf<typeof accounts>

type Props = {
  item: Account | undefined
  /** The account that the console is in: it cannot be deleted from within. */
  standsIn: string
  /** Above the form: the place of the account in the tree. */
  before: ReactNode
  onClose: () => void
  onChanged: () => void
}

/** An account: its name, its place in the tree, and the settings for all its users. */
export function AccountDrawer({ item, standsIn, before, onClose, onChanged }: Props) {
  const canManage = useCan('manage', 'Accounts')
  const account = useAccount()
  const form = useItemForm({
    of: accounts,
    item,
    // A new account is below the open one, and takes over its time zone.
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
    // Until the user writes a ref of their own, it follows the name.
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

/** Makes a ref from a name: `Zoë's Café, North` becomes `zoes-cafe-north`. Empty if no character can be used in a URL. */
export function refFrom(name: string) {
  return name
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
}

/** The picture of the account: saved as soon as it is selected, apart from the form. */
function PictureField() {
  const { _id, ref, name, image } = useAccount()
  const picture = useAccountPicture()
  const message = text('accounts.pictureChanged', { name })
  const change = useAccountChange({
    run: (file: File | null) =>
      file === null
        ? client.accounts.removeImage(_id, { account: ref })
        : client.accounts.setImage(_id, { account: ref, file }),
    message,
  })
  return (
    <div className={styles.place}>
      <div className={styles.line}>
        <span>{text('accounts.picture')}</span>
        {picture && <BlobImage className={styles.picture} blob={picture} alt={text('accounts.pictureOf', { name })} />}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && change.mutate(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={change.isPending}>
              {text(image ? 'accounts.otherPicture' : 'accounts.addPicture')}
            </Button>
          )}
        </FileButton>
        {image && (
          <Button size="xs" variant="subtle" color="no" disabled={change.isPending} onClick={() => change.mutate(null)}>
            {text('accounts.removePicture')}
          </Button>
        )}
      </div>
      <p className="soft">{text('accounts.pictureHint')}</p>
      <p role="alert" className="refusal">
        {change.isError ? messageOf(change.error) : ''}
      </p>
    </div>
  )
}
