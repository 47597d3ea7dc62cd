import { Button, Group, Modal, Stack } from '@mantine/core'
import { credentialKinds, credentials } from '@portcullis/contract/collections/credentials'
import type { SubmitEvent } from 'react'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { useItemForm, type ValuesOf } from '../form/use-item-form.ts'
import { MomentField } from '../form/moment-field.tsx'
import { text } from '../text/text.ts'

/** Gives a person something to present at readers. */
export function AddCredential({ user, onClose }: { user: string; onClose: () => void }) {
  const form = useItemForm({
    of: credentials,
    item: undefined,
    valuesOf: () => blank(user),
    onSaved: onClose,
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // It stands inside the form of the person in React's tree, though not in the page.
    event.stopPropagation()
    void form.submit()
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
            label={text('credentials.kind')}
            choices={credentialKinds.map((value) => ({ value, label: text(`credentials.kinds.${value}`) }))}
          />
          <TextField
            field={form.field('number')}
            label={text('credentials.number')}
            description={text('credentials.numberHint')}
          />
          <MomentField field={form.field('validFrom')} label={text('credentials.validFrom')} />
          <MomentField field={form.field('validUntil')} label={text('credentials.validUntil')} />
          <p role="alert" className="refusal">
            {form.failure}
          </p>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {text('action.cancel')}
            </Button>
            <Button type="submit" loading={form.isSaving}>
              {text('action.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function blank(user: string): ValuesOf<typeof credentials> {
  return { kind: 'card', number: '', user, status: 'active', validFrom: null, validUntil: null }
}
