import { Button, Group, Modal } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useOfferUndo } from './use-offer-undo.ts'
import { useRemove } from './use-remove.ts'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = { of: Collection; id: string; name: string; hint?: string; onDeleted: () => void }

/** Deletes an item after a confirmation that names it; a refusal (the item is still in use) is shown as a message. */
export function DeleteButton({ of, id, name, hint, onDeleted }: Props) {
  const [isConfirming, setConfirming] = useState(false)
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
        <p role="alert" className="refusal">
          {remove.isError ? messageOf(remove.error) : ''}
        </p>
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" data-autofocus onClick={close}>
            {text('action.cancel')}
          </Button>
          <Button color="no" loading={remove.isPending || remove.isSuccess} onClick={press}>
            {text('action.delete')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
