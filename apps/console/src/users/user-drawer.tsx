import { isAllowed, roles } from '@portcullis/contract/abilities'
import type { EntityOf } from '@portcullis/contract/collection'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { userStatuses } from '@portcullis/domain/policy'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, ReferencesField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { MomentField } from '../form/moment-field.tsx'
import { useCan, useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './user-drawer.module.css'

type User = EntityOf<typeof users>

type Props = {
  item: User | undefined
  onClose: () => void
  /** A user who was just added stays open, for the credentials. */
  onCreated: (id: string) => void
  details: (user: User) => ReactNode
  /** Above the form: what else is known of the user. */
  before: (user: User) => ReactNode
}

/** A user: name and contact data, rights here, and their validity. */
export function UserDrawer({ item, onClose, onCreated, details, before }: Props) {
  const canManage = useCan('manage', 'Users')
  const form = useItemForm({ of: users, item, onSaved: ({ _id }) => (item ? onClose() : onCreated(_id)) })
  const role = form.field('role')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('users.add')}
      canSave={canManage}
      onClose={onClose}
      before={item && before(item)}
      aside={canManage && item && <DeleteButton of={users} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <TextField field={form.field('title')} />
      <TextField field={form.field('email')} type="email" {...emailHintOf(item)} />
      {canManage && item?.email && <SignInLink user={item._id} />}
      <div className={styles.pair}>
        <ChoiceField field={role} choices={useRoleChoices(item?.role)} />
        <ChoiceField
          field={form.field('status')}
          choices={userStatuses.map((value) => ({ value, label: text(`state.${value}`) }))}
        />
      </div>
      <ReferencesField of={userGroups} field={form.field('groups')} />
      <MomentField field={form.field('validFrom')} />
      <MomentField field={form.field('validUntil')} isEnd />
      {item ? details(item) : <p className="soft">{text('credentials.afterSaving')}</p>}
    </ItemDrawer>
  )
}

/** Why a user without an email has none, or that it is set only now. */
function emailHintOf(item: User | undefined) {
  if (item?.email) return {}
  return { description: text(item ? 'users.noEmail' : 'users.emailOnce') }
}

/** A user's sign-in has a page of its own. */
function SignInLink({ user }: { user: string }) {
  const { account } = useSession()
  const to: string = `/${account.ref}/users/settings`
  return (
    <Link to={to} search={{ user }}>
      {text('settings.other.link')}
    </Link>
  )
}

/** The roles that the current user may assign; the present one stays in the list. */
function useRoleChoices(current: User['role'] | undefined) {
  const { rules } = useSession()
  return roles
    .filter((role) => role === current || isAllowed(rules, { action: 'manage', subject: role }))
    .map((value) => ({ value, label: text(`users.roles.${value}`) }))
}
