import { Button, Modal } from '@mantine/core'
import type { MovedAccount, RoleChange } from '@portcullis/contract/calls/accounts'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import styles from './account-dialogs.module.css'
import { useAccountChange } from './use-account-change.ts'

type Props = { account: EntityOf<typeof accounts>; onClose: () => void; onMoved: () => void }

/** Asks for the new parent of an account, and shows which users gain or lose access to it, before it is moved. */
export function MoveDialog({ account, onClose, onMoved }: Props) {
  const { _id, name, parent: current } = account
  const [parent, setParent] = useState<string | null>(null)
  const isUnchangedParent = parent === current
  const preview = useQuery({
    queryKey: ['move', _id, parent],
    queryFn: () => client.accounts.move({ account: _id, parent: parent ?? '', dryRun: true }),
    enabled: parent !== null && !isUnchangedParent,
    retry: false,
    // The preview is the change itself, not an older answer.
    gcTime: 0,
  })
  const move = useAccountChange({
    run: () => client.accounts.move({ account: _id, parent: parent ?? '' }),
    message: text('accounts.moved', { name }),
    onDone: onMoved,
  })
  const failure = move.error ?? preview.error

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('accounts.moveTitle', { name })}
      zIndex={400}
      size="lg"
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <ReferencePicker
        of={accounts}
        label={text('accounts.moveTo')}
        filter={{ _id: { ne: _id } }}
        isRequired
        value={parent}
        onChange={setParent}
        comboboxProps={{ zIndex: 500 }}
      />
      <div className={styles.outcome} aria-live="polite">
        {isUnchangedParent && <p className="soft">{text('accounts.moveThere')}</p>}
        {preview.isFetching && <p className="soft">{text('accounts.moveAsking')}</p>}
        {preview.data && !preview.isFetching && <Outcome of={preview.data} />}
      </div>
      <DialogFoot error={failure} onCancel={onClose}>
        <Button
          disabled={!preview.isSuccess || preview.isFetching || isUnchangedParent}
          loading={move.isPending}
          onClick={() => move.mutate()}
        >
          {text('accounts.moveNow')}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

function Outcome({ of: { gains, loses, changes } }: { of: MovedAccount }) {
  const isUnchanged = gains.count + loses.count + changes.count === 0
  return (
    <>
      {isUnchanged && <p>{text('accounts.moveNoChange')}</p>}
      <People title={text('accounts.gains', { count: gains.count })} {...gains} />
      <People title={text('accounts.loses', { count: loses.count })} {...loses} />
      <People title={text('accounts.changes', { count: changes.count })} {...changes} />
      <p className="soft">{text('accounts.moveRules')}</p>
    </>
  )
}

function People({ title, count, people }: { title: string; count: number; people: readonly RoleChange[] }) {
  if (count === 0) return null
  const others = count - people.length
  return (
    <section>
      <h3>{title}</h3>
      <ul className={styles.people}>
        {people.map((person) => (
          <li key={person._id}>{roleChangeText(person)}</li>
        ))}
        {others > 0 && <li>{text('accounts.more', { count: others })}</li>}
      </ul>
    </section>
  )
}

function roleChangeText({ name, before, after }: RoleChange) {
  const [was, becomes] = [before, after].map((role) => (role ? text(`users.roles.${role}`) : ''))
  if (before === null) return text('accounts.roleGained', { name, after: becomes ?? '' })
  if (after === null) return text('accounts.roleLost', { name, before: was ?? '' })
  return text('accounts.roleChanged', { name, before: was ?? '', after: becomes ?? '' })
}
