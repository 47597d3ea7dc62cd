import { Button, Modal } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'

/** Ends the trust in a stolen or replaced controller, after a confirmation. */
export function RevokeUnit({ unit: { _id, name } }: { unit: EntityOf<typeof units> }) {
  const [isConfirming, setConfirming] = useState(false)
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const revoke = useMutation({ mutationFn: () => client.revokeUnit(_id) })
  const press = useSinglePress(() => revoke.mutateAsync(undefined, { onSuccess: onRevoked }))

  function onRevoked() {
    setConfirming(false)
    toast({ text: text('units.revoked', { name }) })
    void queryClient.invalidateQueries({ queryKey: collectionKey(units, ref) })
  }

  function close() {
    setConfirming(false)
    revoke.reset()
  }

  return (
    <>
      <Button ml="auto" variant="subtle" color="no" onClick={() => setConfirming(true)}>
        {text('units.revoke')}
      </Button>
      <Modal
        opened={isConfirming}
        onClose={close}
        title={text('units.revokeTitle', { name })}
        withCloseButton={false}
        zIndex={400}
      >
        <p className="soft">{text('units.revokeHint')}</p>
        <DialogFoot error={revoke.error} onCancel={close} focus="cancel">
          <Button color="no" loading={revoke.isPending} onClick={press}>
            {text('units.revoke')}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  )
}
