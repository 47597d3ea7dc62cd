import { Button, Modal, Textarea } from '@mantine/core'
import { assumeAccount, assumptionMaxMinutes } from '@portcullis/contract/calls/assume-account'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { beginActing } from '../session/acting-inside.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { toast } from '../ui/toasts.ts'

type Props = { account: { _id: string; name: string }; onClose: () => void }

/** Requires a reason for acting inside an account below the user's own, and enters it. */
export function ActInsideDialog({ account: { _id, name }, onClose }: Props) {
  const { ref: from } = useAccount()
  const router = useRouter()
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const checked = assumeAccount.input.safeParse({ reason })
  const begin = useMutation({
    mutationFn: (input: { reason: string }) => client.accounts.assume(_id, input),
    onSuccess: (assumption, input) => {
      const back = router.state.location.href
      onClose()
      beginActing({ ref: assumption.ref, name: assumption.name, from, back })
      if (assumption.reason !== input.reason) toast({ text: text('acting.already', assumption) })
      void router.navigate({ href: `/${assumption.ref}/sites` })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (checked.success) begin.mutate(checked.data)
  }

  return (
    <Modal opened onClose={onClose} title={text('acting.title', { name })} withCloseButton={false} zIndex={400}>
      <form onSubmit={submit} noValidate>
        <p className="soft">{text('acting.hint', { minutes: assumptionMaxMinutes })}</p>
        <Textarea
          data-autofocus
          mt="md"
          label={text('acting.reason')}
          description={text('acting.reasonExample')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={isChecked && !checked.success && text('acting.reasonShort')}
        />
        <DialogFoot error={begin.error} onCancel={onClose}>
          <Button type="submit" loading={begin.isPending}>
            {text('acting.begin')}
          </Button>
        </DialogFoot>
      </form>
    </Modal>
  )
}
