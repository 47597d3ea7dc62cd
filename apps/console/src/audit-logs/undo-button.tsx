import { ApiError } from '@portcullis/client/api-error'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { collections } from '@portcullis/contract/collections/registry'
import { messageOf } from '../ui/list-notice.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { client } from '../session/client.ts'
import { useCan } from '../session/session-context.tsx'
import { fieldLabel } from '../text/field-label.ts'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { collectionOf, type Entry, isPlain, isUndoable, nameIn } from './audit-entry.ts'
import { listOf } from '../text/catalogue.ts'

type Props = { entry: Entry; onOpen: (entry: string) => void }

/** Undoes the change after a confirmation, where a refusal is also shown. */
export function UndoButton({ entry, onOpen }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const queryClient = useQueryClient()
  const of = collectionOf(entry)
  const canManage = useCan('manage', (of ?? collections.auditLogs).subject)
  const undo = useMutation({
    mutationFn: () => client.history.undo(entry._id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['collection'] }),
  })
  const press = useSinglePress(() => undo.mutateAsync())
  const { action } = entry
  if (!of || isPlain(action) || !isUndoable(entry, of) || !canManage) return null

  function close() {
    setConfirming(false)
    undo.reset()
  }

  const name = nameIn(entry) ?? text('toast.it')
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {text('audit.undo')}
      </Button>
      <Modal opened={isConfirming} onClose={close} title={text('audit.undoTitle')} withCloseButton={false} zIndex={400}>
        {undo.data ? (
          <Done fields={undo.data.notRestored.map((field) => fieldLabel(entry.collection, field))} />
        ) : (
          <p className="soft">
            {action === 'patch' ? text('audit.undoHint.patch') : text(`audit.undoHint.${action}`, { name })}
          </p>
        )}
        <p role="alert" className="refusal">
          {undo.isError ? refusalOf(undo.error, entry) : ''}
        </p>
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" data-autofocus onClick={close}>
            {text(undo.data ? 'action.close' : 'action.cancel')}
          </Button>
          {undo.data ? (
            <Button onClick={() => onOpen(undo.data.entry)}>{text('audit.undoneOpen')}</Button>
          ) : (
            <Button loading={undo.isPending} onClick={press}>
              {text('audit.undo')}
            </Button>
          )}
        </Group>
      </Modal>
    </>
  )
}

function Done({ fields }: { fields: readonly string[] }) {
  return (
    <div role="status">
      <p>{text('audit.undone')}</p>
      {fields.length > 0 && <p>{text('audit.notRestored', { fields: listOf(fields) })}</p>}
    </div>
  )
}

/** What prevents the undo, with its fields by their labels. */
function refusalOf(error: Error, entry: Entry) {
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return message
  const named = (field: string) => fieldLabel(entry.collection, field)
  const { code, parameters, fieldErrors } = error
  const { fields } = parameters
  if (Array.isArray(fields)) {
    return problemText({
      code,
      parameters: { fields: fields.flatMap((each) => (typeof each === 'string' ? named(each) : [])) },
    })
  }
  if (code !== 'unknown_reference') return message
  return [message, ...Object.entries(fieldErrors).map(([field, one]) => `${named(field)}: ${problemText(one)}`)].join(
    ' ',
  )
}
