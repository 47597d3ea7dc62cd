import { Button, Modal, MultiSelect, Select, Stack } from '@mantine/core'
import { isAllowed, roles, type Role } from '@portcullis/contract/abilities'
import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { maxAddedAccounts, type UserAccount } from '@portcullis/contract/calls/memberships'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = {
  user: { _id: string; name: string }
  /** The accounts to which the user belongs. */
  present: readonly UserAccount[]
  onClose: () => void
  onAdded: (changed: { items: UserAccount[] }) => void
}

/** Asks for the accounts and for the role that a user gets in each of them. */
export function AddToAccounts({ user: { _id, name }, present, onClose, onAdded }: Props) {
  const [chosen, setChosen] = useState<string[]>([])
  const [role, setRole] = useState<Role>('appUser')
  const { rules } = useSession()
  const hierarchy = useQuery(hierarchyQuery())
  const held = new Set(present.map((account) => account._id))
  const choices = flat(hierarchy.data ?? []).filter(({ value }) => !held.has(value))
  const adding = useMutation({ mutationFn: () => client.memberships.add(_id, { accountIds: chosen, role }) })
  const press = useSinglePress(() => adding.mutateAsync(undefined, { onSuccess: onAdded }))

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('memberships.addTitle', { name })}
      zIndex={400}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Stack gap={16}>
        <p className="soft">{text('memberships.addHint')}</p>
        {hierarchy.isError && <ErrorNotice error={hierarchy.error} onRetry={() => void hierarchy.refetch()} />}
        {hierarchy.data && choices.length === 0 && <p>{text('memberships.noAccounts')}</p>}
        <MultiSelect
          label={text('memberships.accounts')}
          data={choices}
          value={chosen}
          onChange={setChosen}
          maxValues={maxAddedAccounts}
          searchable
          hidePickedOptions
          required
          disabled={choices.length === 0}
          nothingFoundMessage={text('form.noMatches')}
          comboboxProps={{ zIndex: 500 }}
        />
        <Select
          label={text('memberships.role')}
          allowDeselect={false}
          value={role}
          data={roles
            .filter((each) => isAllowed(rules, { action: 'manage', subject: each }))
            .map((value) => ({ value, label: text(`users.roles.${value}`) }))}
          onChange={(value) => setRole(roles.find((each) => each === value) ?? role)}
          comboboxProps={{ zIndex: 500 }}
        />
      </Stack>
      <DialogFoot error={adding.error} onCancel={onClose}>
        <Button disabled={chosen.length === 0} loading={adding.isPending} onClick={press}>
          {text('memberships.addNow')}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

type Choice = { value: string; label: string }

/** Each account with the names above it, because branches of different customers may have the same name. */
function flat(nodes: readonly AccountNode[], above = ''): Choice[] {
  return nodes.flatMap(({ _id, name, children }) => {
    const label = above === '' ? name : `${above} › ${name}`
    return [{ value: _id, label }, ...flat(children, label)]
  })
}
