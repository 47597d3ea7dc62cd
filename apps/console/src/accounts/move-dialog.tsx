import { Button, Modal } from '@mantine/core'
import type { MovedAccount } from '@portcullis/contract/calls/accounts'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import styles from '../account-tree/move-outcome.module.css'
import { RoleChanges } from '../account-tree/role-changes.tsx'
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

function Outcome({ of }: { of: MovedAccount }) {
  return (
    <>
      <RoleChanges of="accounts" {...of} />
      <p className="soft">{text('accounts.moveRules')}</p>
    </>
  )
}
