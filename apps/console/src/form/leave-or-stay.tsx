import { Button, Group, Modal } from '@mantine/core'
import { text } from '../text/text.ts'

/** Asks before unsaved changes would be lost. Mounted when needed: otherwise the Escape that opens it would also close it. */
export function LeaveOrStay({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal opened onClose={onStay} title={text('form.unsaved')} withCloseButton={false} zIndex={400}>
      <p className="soft">{text('form.unsavedHint')}</p>
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" onClick={onLeave}>
          {text('form.discard')}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {text('form.keepEditing')}
        </Button>
      </Group>
    </Modal>
  )
}
