import { Modal, Stack } from '@mantine/core'
import { credentials } from '@portcullis/contract/collections/credentials'
import type { UnknownCardRead } from '../cards/unknown-card.ts'
import { useSave } from '../item/use-save.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { localMoment, momentOfLocal } from '../time/local-moment.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'
import { FreeCard } from './free-card.tsx'

/** Gives a user a free card until the end of the day in the account's time zone. */
export function TemporaryCard({ user, onClose }: { user: string; onClose: () => void }) {
  const { defaultTimeZone } = useAccount()
  const save = useSave(credentials)

  function give({ credential, kind, number }: UnknownCardRead) {
    const fields = { user, validFrom: null, validUntil: endOfDay(new Date(), defaultTimeZone) }
    const saving =
      credential === null ? { id: undefined, fields: { kind, number, ...fields } } : { id: credential, fields }
    save.mutate(saving, {
      onSuccess() {
        toast({ text: text('credentials.temporaryGiven', { number }) })
        onClose()
      },
    })
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('credentials.temporary')}
      zIndex={300}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Stack gap={16}>
        <p className="soft">{text('credentials.temporaryHint')}</p>
        <FreeCard onChoose={give} isPending={save.isPending || save.isSuccess} />
        <p role="alert" className="refusal">
          {save.error && messageOf(save.error)}
        </p>
      </Stack>
    </Modal>
  )
}

/** The midnight that ends the day. */
export function endOfDay(now: Date, zone: string): string | null {
  const next = new Date(`${localMoment(now.toISOString(), zone).slice(0, 10)}T00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return momentOfLocal(`${next.toISOString().slice(0, 10)}T00:00`, zone)
}
