import { Button, CloseButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { UserAccount } from '@portcullis/contract/calls/memberships'
import { users } from '@portcullis/contract/collections/users'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLive } from '../item/use-live.ts'
import { itemKey, listsKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { toast } from '../ui/toasts.ts'
import { AddToAccounts } from './add-to-accounts.tsx'
import { RemoveFromAccount } from './remove-from-account.tsx'
import styles from './user-accounts.module.css'

type Props = { user: { _id: string; name: string } }

/** The accounts of a user that the viewer may see, with the role in each. */
export function UserAccounts({ user }: Props) {
  const { _id, name } = user
  const canManage = useCan('manage', 'Users')
  const [isAdding, adding] = useDisclosure(false)
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const queryKey = [...itemKey({ of: users, accountRef: ref, id: _id }), 'accounts']
  const list = useQuery({ queryKey, queryFn: () => client.memberships.of(_id) })
  useLive(users)
  const items = list.data?.items ?? []

  function show(changed: { items: UserAccount[] }, message: string) {
    queryClient.setQueryData(queryKey, changed)
    void queryClient.invalidateQueries({ queryKey: listsKey(users, ref) })
    toast({ text: message })
    adding.close()
  }

  return (
    <section className={styles.section} aria-labelledby="accounts">
      <header>
        <h3 id="accounts">{text('memberships.title')}</h3>
        {canManage && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            disabled={!list.data}
            onClick={adding.open}
          >
            {text('memberships.add')}
          </Button>
        )}
      </header>
      {list.isPending && <SkeletonRows count={1} />}
      {list.isError && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      <ul>
        {items.map((account) => (
          <AccountLine
            key={account._id}
            account={account}
            name={name}
            canRemove={canManage && items.length > 1}
            remove={() => client.memberships.remove(_id, account._id)}
            onRemoved={(changed) => show(changed, text('memberships.removed', { name, account: account.name }))}
          />
        ))}
      </ul>
      {isAdding && (
        <AddToAccounts
          user={user}
          present={items}
          onClose={adding.close}
          onAdded={(changed) => show(changed, text('memberships.added', { name }))}
        />
      )}
    </section>
  )
}

type AccountLineProps = {
  account: UserAccount
  name: string
  canRemove: boolean
  remove: () => Promise<{ items: UserAccount[] }>
  onRemoved: (changed: { items: UserAccount[] }) => void
}

function AccountLine({ account, name, canRemove, remove, onRemoved }: AccountLineProps) {
  const { role, status, isInvited } = account
  const [isRemoving, removing] = useDisclosure(false)
  return (
    <li>
      <span className={styles.what}>
        <b>
          <bdi>{account.name}</bdi>
        </b>
        <span className="second">{text(`users.roles.${role}`)}</span>
        {isInvited && <span className="second">{text('memberships.invitedHint')}</span>}
      </span>
      <span className={styles.state}>
        {status === 'suspended' && <StateTag state="suspended" />}
        {status === 'active' && isInvited && <StateTag state="waiting">{text('memberships.invited')}</StateTag>}
      </span>
      {canRemove && (
        <CloseButton aria-label={text('memberships.remove', { account: account.name })} onClick={removing.open} />
      )}
      {isRemoving && (
        <RemoveFromAccount
          name={name}
          account={account.name}
          remove={remove}
          onClose={removing.close}
          onRemoved={onRemoved}
        />
      )}
    </li>
  )
}
