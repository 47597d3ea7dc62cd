import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import styles from './dialog-foot.module.css'
import { messageOf } from './list-notice.tsx'

type Props = {
  /** Why the action failed. */
  error: Error | null
  onCancel: () => void
  /** Where the focus begins, if at Cancel. */
  focus?: 'cancel'
  /** The button of the action. */
  children: ReactNode
}

/** The end of a dialog that asks before it acts: Cancel and the action, with the reason above if the action failed. */
export function DialogFoot({ error, onCancel, focus, children }: Props) {
  return (
    <>
      <p role="alert" className="refusal">
        {error ? messageOf(error) : ''}
      </p>
      <Group justify="flex-end" gap={8} className={styles.buttons}>
        <Button variant="default" data-autofocus={focus === 'cancel' || undefined} onClick={onCancel}>
          {text('action.cancel')}
        </Button>
        {children}
      </Group>
    </>
  )
}
