import { Button, Group, Modal, Stack } from '@mantine/core'
import { credentialKinds, credentials } from '@portcullis/contract/collections/credentials'
import type { SubmitEvent } from 'react'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { MomentField } from '../form/moment-field.tsx'
import { text } from '../text/text.ts'

/** Gives a person something to present at readers. */
export function AddCredential({ user, onClose }: { user: string; onClose: () => void }) {
  const form = useItemForm({
    of: credentials,
    item: undefined,
    initial: { user },
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
            choices={credentialKinds.map((value) => ({ value, label: text(`credentials.kinds.${value}`) }))}
          />
          <TextField field={form.field('number')} />
          <MomentField field={form.field('validFrom')} />
          <MomentField field={form.field('validUntil')} />
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
