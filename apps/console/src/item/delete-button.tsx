import { Button, Modal } from '@mantine/core'
import { ApiError } from '@portcullis/client/api-error'
import type { Collection } from '@portcullis/contract/collection'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { AccessEffects } from './access-effects.tsx'
import { itemKey } from './keys.ts'
import { useOfferUndo } from './use-offer-undo.ts'
import { useRemove } from './use-remove.ts'
import styles from './access-effects.module.css'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = { of: Collection; id: string; name: string; hint?: string; onDeleted: () => void }

/** Deletes an item after a confirmation that names it, and shows at once if the item is still in use. */
export function DeleteButton({ of, id, name, hint, onDeleted }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const { ref: account } = useAccount()
  const { refusal, isPending } = useRefusal(of, { id, isAsked: isConfirming })
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
        {!refusal && <p className="soft">{hint ?? text('form.deleteHint')}</p>}
        <div className={styles.inDialog}>
          {!isPending && !refusal && (
            <AccessEffects of={of} change={id} ask={() => client.of(of).previewRemoval({ id }, { account })} />
          )}
        </div>
        <DialogFoot error={remove.error ?? refusal} onCancel={close} focus="cancel">
          <Button color="no" disabled={refusal !== null} loading={remove.isPending || remove.isSuccess} onClick={press}>
            {text('action.delete')}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  )
}

/** Why the item cannot be deleted, found by trying: other items may refer to it. Any other failure appears with the deletion. */
function useRefusal(of: Collection, { id, isAsked }: { id: string; isAsked: boolean }) {
  const { ref: account } = useAccount()
  const { error, isLoading } = useQuery({
    queryKey: [...itemKey({ of, accountRef: account, id }), 'removal'],
    queryFn: ({ signal }) => client.of(of).previewRemoval({ id, of: 'room' }, { account, signal }),
    enabled: isAsked && of.isPolicy,
    gcTime: 0,
    retry: false,
  })
  return { refusal: isAsked && isRefusal(error) ? error : null, isPending: isLoading }
}

/** Whether a business rule forbids it. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422
}
