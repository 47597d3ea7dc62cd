import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useSave } from '../item/use-save.ts'
import { useItem } from '../item/use-item.ts'
import { useNames } from '../item/use-names.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'
import type { UnknownCardRead } from './unknown-card.ts'
import { possibleCards, printedText, useCardFormats } from './use-card-formats.ts'

/** What an unknown card may be, by format, and a button that assigns it to a user. */
export function UnknownCard({ card }: { card: UnknownCardRead }) {
  const canManage = useCan('manage', 'Users')
  const formats = useCardFormats()
  const [isAssigning, assigning] = useDisclosure(false)
  const possible = card.kind === 'card' ? possibleCards(formats, card.number) : []
  if (possible.length === 0 && !canManage) return null
  return (
    <section aria-label={text('cards.mayBe')} data-unknown-card="">
      {possible.length > 0 && (
        <>
          <h3>{text('cards.mayBe')}</h3>
          <ul>
            {possible.map(({ known, ...printed }) => (
              <li key={known.value}>
                <b>{printedText(printed)}</b> <span className="soft">{known.label}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {canManage && (
        <Button variant="default" onClick={assigning.open}>
          {text('cards.assign')}
        </Button>
      )}
      {isAssigning && <AssignCard card={card} onClose={assigning.close} />}
    </section>
  )
}

/** Gives an unknown or unassigned card to a user. */
export function AssignCard({ card, onClose }: { card: UnknownCardRead; onClose: () => void }) {
  const { number, kind, credential } = card
  const formats = useCardFormats()
  const possible = kind === 'card' ? possibleCards(formats, number) : []
  const [user, setUser] = useState<string | null>(null)
  const [format, setFormat] = useState('')
  const names = useNames(users, user === null ? [] : [user])
  const { data: stored } = useItem(credentials, credential ?? undefined)
  const save = useSave(credentials)

  function assign() {
    const chosen = possible.find(({ known }) => known.value === format)
    const fields = { user, ...(chosen && { format, facility: chosen.facility, printed: chosen.printed }) }
    const saving =
      credential === null ? { id: undefined, fields: { kind, number, ...fields } } : { id: credential, fields }
    save.mutate(saving, {
      onSuccess() {
        toast({ text: text('cards.assigned', { user: names.get(user ?? '') ?? '' }) })
        onClose()
      },
    })
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('cards.assignTitle', { number })}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Stack gap={16}>
        <ReferencePicker of={users} label={text('cards.user')} isRequired value={user} onChange={setUser} />
        {possible.length > 0 && (
          <Select
            label={text('cards.card')}
            allowDeselect={false}
            value={format}
            onChange={(value) => setFormat(value ?? '')}
            data={[
              { value: '', label: text('cards.unknownFormat') },
              ...possible.map(({ known, ...printed }) => ({
                value: known.value,
                label: `${printedText(printed)} · ${known.label}`,
              })),
            ]}
          />
        )}
        {stored && stored.status !== 'active' && (
          <p className="soft">{text('cards.assignEnded', { status: text(`credentials.statuses.${stored.status}`) })}</p>
        )}
        <p role="alert" className="refusal">
          {save.error && messageOf(save.error)}
        </p>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button disabled={user === null} loading={save.isPending || save.isSuccess} onClick={assign}>
            {text('cards.assignNow')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
