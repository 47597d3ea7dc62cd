import { Button, Group, Modal, VisuallyHidden } from '@mantine/core'
import { text } from '../text/text.ts'
import { warningMs } from './idle-state.ts'

const soonS = 10

type Props = { idleTimeS: number; secondsLeft: number; onContinue: () => void; onLogOut: () => void }

/** The last minute before an idle session ends (specification §4). */
export function IdleWarning({ idleTimeS, secondsLeft, onContinue, onLogOut }: Props) {
  const warning = (count: number) => text('idle.warning', { count, idleTime: idleTimeS })
  return (
    <Modal
      opened
      onClose={onContinue}
      title={text('idle.title')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={1_000}
    >
      <p aria-hidden="true">{warning(secondsLeft)}</p>
      {/* Announced when it begins and near the end; an announcement every second would drown out all others. */}
      <VisuallyHidden role="alert">
        {secondsLeft > soonS ? warning(warningMs / 1_000) : text('idle.soon', { seconds: soonS })}
      </VisuallyHidden>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onLogOut}>
          {text('shell.logOut')}
        </Button>
        <Button data-autofocus onClick={onContinue}>
          {text('idle.goOn')}
        </Button>
      </Group>
    </Modal>
  )
}
