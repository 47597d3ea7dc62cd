import { Modal, SegmentedControl, Stack } from '@mantine/core'
import { credentials } from '@portcullis/contract/collections/credentials'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UnknownCardRead } from '../cards/unknown-card.ts'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { FreeCard } from './free-card.tsx'

const statuses = ['lost', 'stolen'] as const

/** Ends a lost or stolen card, and gives its user another one. */
export function ReplaceCredential({ id, number, onClose }: { id: string; number: string; onClose: () => void }) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [status, setStatus] = useState<(typeof statuses)[number]>('lost')
  const replace = useMutation({
    mutationFn: ({ credential, number: given }: UnknownCardRead) =>
      client.cards.replace(id, { status, by: credential === null ? { number: given } : { _id: credential } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: collectionKey(credentials, ref) })
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={text('credentials.replaceTitle', { number })}
      zIndex={300}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Stack gap={16}>
        <SegmentedControl
          aria-label={text('credentials.status')}
          value={status}
          onChange={setStatus}
          data={statuses.map((value) => ({ value, label: text(`credentials.statuses.${value}`) }))}
        />
        <p className="soft">{text('credentials.replaceHint')}</p>
        <FreeCard onChoose={(card) => replace.mutate(card)} isPending={replace.isPending || replace.isSuccess} />
        <p role="alert" className="refusal">
          {replace.error && messageOf(replace.error)}
        </p>
      </Stack>
    </Modal>
  )
}
