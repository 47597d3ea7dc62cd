import { isConflict } from '@portcullis/client/api-error'
import { noteMaxCharacters } from '@portcullis/contract/calls/remote-access'
import { tasks } from '@portcullis/contract/collections/tasks'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ConflictNotice } from '../form/conflict-notice.tsx'
import { useSave } from '../item/use-save.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useCan, useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'
import styles from './requests.module.css'

type Props = { request: Request; isWriting: boolean; onWriting: (isWriting: boolean) => void }

/** The note to a decision. Users who may decide the request add it or change it. */
export function DecisionNote({ request, isWriting, onWriting }: Props) {
  const { user } = useSession()
  const mayDecide = useCan('manage', tasks.subject)
  const { note } = request
  return (
    <section className={styles.noted}>
      {note !== null && (
        <>
          <h3>{text('tasks.note')}</h3>
          <p>{note}</p>
        </>
      )}
      {mayDecide && request.user !== user._id && (
        <Button variant="default" size="compact-md" onClick={() => onWriting(true)}>
          {text(note === null ? 'remote.addNote' : 'remote.changeNote')}
        </Button>
      )}
      {isWriting && <NoteDialog request={request} onClose={() => onWriting(false)} />}
    </section>
  )
}

function NoteDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  // The request follows the changes of others; the note is saved over the one that this user has read.
  const [noteAsRead, setNoteAsRead] = useState(request.note)
  const [note, setNote] = useState(request.note ?? '')
  const [savedElsewhere, setSavedElsewhere] = useState<Request>()
  const save = useSave(tasks)

  function send(over: string | null) {
    save.mutate({ id: request._id, fields: { note, noteAsRead: over } }, { onSuccess: onClose, onError: refuse })
  }

  function refuse(error: Error) {
    setSavedElsewhere(isConflict(error) ? tasks.entitySchema.safeParse(error.item).data : undefined)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    send(noteAsRead)
  }

  function load(saved: Request) {
    setNoteAsRead(saved.note)
    setNote(saved.note ?? '')
    setSavedElsewhere(undefined)
    save.reset()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text(noteAsRead === null ? 'remote.addNote' : 'remote.changeNote')}
      withCloseButton={false}
      zIndex={400}
    >
      <form onSubmit={submit} noValidate>
        {savedElsewhere && (
          <ConflictNotice
            of={tasks}
            fields={[
              { name: 'note', before: noteAsRead, saved: savedElsewhere.note, edited: note, isInConflict: true },
            ]}
            isSaving={save.isPending}
            onLoadSaved={() => load(savedElsewhere)}
            onSaveEdited={() => send(savedElsewhere.note)}
          />
        )}
        <Textarea
          data-autofocus
          label={text('tasks.note')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={noteMaxCharacters}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <p role="alert" className="refusal">
          {save.isError && !savedElsewhere ? messageOf(save.error) : ''}
        </p>
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={note.trim() === '' || note === noteAsRead}>
            {text('action.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
