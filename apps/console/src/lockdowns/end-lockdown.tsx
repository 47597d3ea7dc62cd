import { Button, Modal } from '@mantine/core'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { useState } from 'react'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { useEnd } from './use-active-lockdowns.ts'

type Props = { lockdown: { _id: string; name: string } }

/** Ends a lockdown, once the user has confirmed it. */
export function EndLockdown({ lockdown }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (!useCan('manage', lockdowns.subject)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text('lockdowns.end')}
      </Button>
      {isOpen && <Confirm lockdown={lockdown} onClose={() => setOpen(false)} />}
    </>
  )
}

function Confirm({ lockdown: { _id, name }, onClose }: Props & { onClose: () => void }) {
  const end = useEnd(() => {
    onClose()
    toast({ text: text('lockdowns.ended', { name }) })
  })
  const press = useSinglePress(() => end.mutateAsync(_id))
  return (
    <Modal opened onClose={onClose} title={text('lockdowns.endTitle', { name })} withCloseButton={false}>
      <p className="soft">{text('lockdowns.endHint')}</p>
      <DialogFoot error={end.error} onCancel={onClose} focus="cancel">
        <Button color="no" loading={end.isPending} onClick={press}>
          {text('lockdowns.end')}
        </Button>
      </DialogFoot>
    </Modal>
  )
}
