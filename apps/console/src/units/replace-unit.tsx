import { Button, Modal, TextInput } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { EnrolmentDialog } from './enrol-unit.tsx'

/**
 * Replaces a broken controller: asks for the serial of the new one, then shows the code with which it enrols, also
 * while the unit is no longer enrolled.
 */
export function ReplaceUnit({ unit }: { unit: EntityOf<typeof units> }) {
  const [isOpen, setOpen] = useState(false)
  const [serial, setSerial] = useState('')
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const replace = useMutation({ mutationFn: () => client.replaceUnit(unit._id, { serial: serial.trim() }) })
  const press = useSinglePress(() => replace.mutateAsync(undefined, { onSuccess }))

  const serialError = fieldErrorText(replace.error, 'serial')

  function onSuccess() {
    setOpen(false)
    setSerial('')
    void queryClient.invalidateQueries({ queryKey: collectionKey(units, ref) })
  }

  function close() {
    setOpen(false)
    replace.reset()
  }

  return (
    <>
      {unit.enrolledAt && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {text('units.replace')}
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={close}
        title={text('units.replaceTitle', { name: unit.name })}
        withCloseButton={false}
        zIndex={400}
      >
        <p className="soft">{text('units.replaceHint')}</p>
        <TextInput
          mt={12}
          label={text('units.replaceSerial')}
          value={serial}
          error={serialError}
          required
          maxLength={60}
          data-autofocus
          onChange={(event) => setSerial(event.currentTarget.value)}
        />
        <DialogFoot error={serialError === undefined ? replace.error : null} onCancel={close}>
          <Button onClick={press} disabled={serial.trim() === ''} loading={replace.isPending}>
            {text('units.replaceNow')}
          </Button>
        </DialogFoot>
      </Modal>
      {replace.data && (
        <EnrolmentDialog unit={unit} issued={replace.data} since={replace.submittedAt} onClose={replace.reset} />
      )}
    </>
  )
}
