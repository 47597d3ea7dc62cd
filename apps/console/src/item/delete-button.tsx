import { Button, Modal } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { AccessEffects } from './access-effects.tsx'
import { useOfferUndo } from './use-offer-undo.ts'
import { useRemove } from './use-remove.ts'
import styles from './access-effects.module.css'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = { of: Collection; id: string; name: string; hint?: string; onDeleted: () => void }

/** Deletes an item after a confirmation that names it; a refusal (the item is still in use) is shown as a message. */
export function DeleteButton({ of, id, name, hint, onDeleted }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const { ref: account } = useAccount()
  const remove = useRemove(of)
  const offerUndo = useOfferUndo(of)
  const press = useSinglePress(() => remove.mutateAsync(id, { onSuccess: offerUndoAndClose }))

  function offerUndoAndClose(entry: string | undefined) {
    offerUndo({ message: text('toast.deleted', { name }), name, entry })
    onDeleted()
  }

  function close() {
    setConfirming(false)
    remove.reset()
  }

  return (
    <>
      <Button variant="subtle" color="no" onClick={() => setConfirming(true)}>
        {text('action.delete')}
      </Button>
      <Modal
        opened={isConfirming}
        onClose={close}
        title={text('form.deleteTitle', { name })}
        withCloseButton={false}
        zIndex={400}
      >
        <p className="soft">{hint ?? text('form.deleteHint')}</p>
        <div className={styles.inDialog}>
          <AccessEffects of={of} change={id} ask={() => client.of(of).previewRemoval(id, { account })} />
        </div>
        <DialogFoot error={remove.error} onCancel={close} focus="cancel">
          <Button color="no" loading={remove.isPending || remove.isSuccess} onClick={press}>
            {text('action.delete')}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  )
}
