import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '../session/failure-text.ts'
import { text } from '../text/text.ts'
import { useConfirmedAct } from './use-confirmed-act.ts'

type Props<T> = {
  label: string
  title: string
  hint: string
  tone?: 'plain' | 'danger'
  disabled?: boolean
  act: () => Promise<T>
  onDone: (answer: T) => void
}

/** A button that asks before it acts; an error of the server appears in the dialog. */
export function ConfirmingButton<T>({ label, title, hint, tone = 'plain', disabled = false, act, onDone }: Props<T>) {
  const [isConfirming, setConfirming] = useState(false)
  const acting = useConfirmedAct({
    act,
    onDone(answer: T) {
      setConfirming(false)
      onDone(answer)
    },
  })

  function open() {
    acting.reset()
    setConfirming(true)
  }

  return (
    <>
      <Button variant="default" disabled={disabled} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={title}
        withCloseButton={false}
        // While it runs, Escape belongs to a dialog that may be above.
        closeOnEscape={!acting.isPending}
        closeOnClickOutside={!acting.isPending}
      >
        <p className="soft">{hint}</p>
        <p role="alert" className="refusal">
          {acting.error ? failureText(acting.error) : ''}
        </p>
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" data-autofocus disabled={acting.isPending} onClick={() => setConfirming(false)}>
            {text('action.cancel')}
          </Button>
          <Button
            color={tone === 'danger' ? 'no' : 'accent'}
            loading={acting.isPending}
            onClick={() => acting.mutate()}
          >
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
