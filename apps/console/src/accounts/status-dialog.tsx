import { Button, Modal } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { accounts } from '@portcullis/contract/collections/accounts'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import styles from './account-dialogs.module.css'
import { useAccountChange } from './use-account-change.ts'

type Props = { account: EntityOf<typeof accounts>; onClose: () => void; onDone: () => void }

/** Asks before an account is suspended, and lists the effects; or before it is restored. */
export function StatusDialog({ account: { _id, name, status }, onClose, onDone }: Props) {
  const verb = status === 'active' ? 'suspend' : 'restore'
  const change = useAccountChange({
    run: () => client.accounts[verb](_id),
    message: text(verb === 'suspend' ? 'accounts.suspended' : 'accounts.restored', { name }),
    onDone,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={text(`accounts.${verb}Title`, { name })}
      withCloseButton={false}
      zIndex={400}
    >
      {verb === 'suspend' ? (
        <>
          <p>{text('accounts.suspendWhat', { name })}</p>
          <ul className={styles.what}>
            <li>{text('accounts.suspendPeople')}</li>
            <li>{text('accounts.suspendUnits')}</li>
          </ul>
          <p className="soft">{text('accounts.suspendAbove')}</p>
        </>
      ) : (
        <p>{text('accounts.restoreWhat')}</p>
      )}
      <DialogFoot error={change.error} onCancel={onClose} focus="cancel">
        <Button
          {...(verb === 'suspend' ? { color: 'no' } : {})}
          loading={change.isPending}
          onClick={() => change.mutate()}
        >
          {text(`accounts.${verb}Now`)}
        </Button>
      </DialogFoot>
    </Modal>
  )
}
