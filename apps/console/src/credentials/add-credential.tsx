import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { credentialKinds, credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import { decodeCard } from '@portcullis/domain/cards/card-format'
import { iButtonNumber } from '@portcullis/domain/cards/i-button'
import { problem } from '@portcullis/contract/errors/problem'
import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ReadAtDoor } from '../cards/read-at-door.tsx'
import type { UnknownCardRead } from '../cards/unknown-card.ts'
import { useSave } from '../item/use-save.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useCardFormats } from '../cards/use-card-formats.ts'
import { ChoiceField, SwitchField, TextField } from '../form/fields.tsx'
import { MomentField } from '../form/moment-field.tsx'
import { RoomNotice } from '../form/room-notice.tsx'
import { type ItemForm, useItemForm } from '../form/use-item-form.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { CardFields } from './card-fields.tsx'
import { cardErrors, cardOf } from './card-values.ts'

/** Adds a credential to a user. */
export function AddCredential({ user, onClose }: { user: string; onClose: () => void }) {
  const formats = useCardFormats()
  const seesEvents = useCan('view', 'Access Events')
  const form = useItemForm({
    of: credentials,
    item: undefined,
    initial: { user },
    check: (values) => ({ ...cardErrors(cardOf(values, formats)), ...buttonErrors(values) }),
    complete: (values) => {
      if (values.kind !== 'card') return { format: null, facility: null, printed: null }
      const { number } = cardOf(values, formats)
      return number === undefined ? {} : { number }
    },
    onSaved: onClose,
  })

  const [isReading, reading] = useDisclosure(false)
  const [lastRead, setLastRead] = useState<UnknownCardRead>()
  const spare = spareOf(form, lastRead)
  const assign = useSave(credentials)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // It is inside the user's form in React's tree, though not in the page.
    event.stopPropagation()
    if (spare) {
      const { validFrom, validUntil } = form.values
      assign.mutate({ id: spare, fields: { user, validFrom, validUntil } }, { onSuccess: onClose })
    } else void form.submit()
  }

  function take(card: UnknownCardRead) {
    reading.close()
    setLastRead(card)
    form.set('kind', card.kind)
    form.set('format', null)
    form.set('number', card.number)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('credentials.add')}
      zIndex={300}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <ChoiceField
            field={form.field('kind')}
            choices={credentialKinds.map((value) => ({ value, label: text(`credentials.kinds.${value}`) }))}
          />
          <NumberFields form={form} formats={formats} read={lastRead?.number} />
          {isReading && <ReadAtDoor onRead={take} onClose={reading.close} />}
          {!isReading && seesEvents && isRead(form.values.kind) && (
            <Button variant="default" onClick={reading.open}>
              {text('cards.readAtDoorNow')}
            </Button>
          )}
          {spare && <p className="soft">{text('cards.readUnassigned', { number: form.values.number })}</p>}
          <HolderLink holder={form.holder} />
          {form.values.kind === 'pin' && <SwitchField field={form.field('duress')} />}
          <MomentField field={form.field('validFrom')} />
          <MomentField field={form.field('validUntil')} isEnd />
          <p role="alert" className="refusal">
            {form.failure ?? (assign.error && messageOf(assign.error))}
          </p>
          <RoomNotice form={form} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {text('action.cancel')}
            </Button>
            <Button type="submit" loading={form.isSaving || assign.isPending} disabled={form.tried !== undefined}>
              {text('action.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type NumberFieldsProps = Parameters<typeof CardFields>[0] & { read: string | undefined }

/** A number that was read at a door can only be of a format that carries it. */
function NumberFields({ form, formats, read }: NumberFieldsProps) {
  const isFromDoor = read !== undefined && read === form.values.number
  const fitting = isFromDoor ? formats.filter(({ format }) => !('fault' in decodeCard(format, read))) : formats
  return form.values.kind === 'card' ? (
    <CardFields form={form} formats={fitting} />
  ) : (
    <TextField field={form.field('number')} />
  )
}

/** The unassigned credential that has the number already: it was read at a door, or the server has named it. */
function spareOf({ holder, values }: ItemForm<typeof credentials>, lastRead: UnknownCardRead | undefined) {
  if (lastRead?.number === values.number) return lastRead.credential
  return holder?.collection === credentials.name ? holder._id : undefined
}

function isRead(kind: string) {
  return kind === 'card' || kind === 'iButton'
}

function buttonErrors({ kind, number }: { kind: string; number: string }): Record<string, string> {
  if (kind !== 'iButton' || number === '' || iButtonNumber(number) !== undefined) return {}
  return { number: problemText(problem('invalid_i_button')) }
}

/** Leads to the user who has the number. */
function HolderLink({ holder }: { holder: ItemForm<typeof credentials>['holder'] }) {
  const { ref } = useAccount()
  if (holder?.collection !== users.name) return null
  const to: string = `/${ref}/users/list`
  return (
    <Link to={to} search={{ open: holder._id }}>
      <bdi>{text('credentials.openHolder', { name: holder.name ?? '' })}</bdi>
    </Link>
  )
}
