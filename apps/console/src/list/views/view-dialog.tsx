import { Button, Checkbox, CopyButton, Group, Modal, TextInput } from '@mantine/core'
import type { SavedView, ViewQuery } from '@portcullis/contract/calls/saved-views'
import { useLocation } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { fieldErrorText } from '../../text/error-text.ts'
import { text } from '../../text/text.ts'
import { messageOf } from '../../ui/list-notice.tsx'
import { useRemoveView, useSaveView } from './use-saved-views.ts'
import styles from './view-dialog.module.css'

type Props = {
  list: string
  /** The view to change; undefined for a new one of the current list. */
  view: SavedView | undefined
  /** The current state of the list. */
  present: ViewQuery
  mayShare: boolean
  onClose: () => void
}

/** Asks for the name of a view, and whether it is shared. */
export function ViewDialog({ list, view, present, mayShare, onClose }: Props) {
  const initial = view ?? { name: '', shared: false, query: present, own: true }
  const [name, setName] = useState(initial.name)
  const [isShared, setShared] = useState(initial.shared)
  const [isReplaced, setReplaced] = useState(false)
  const save = useSaveView(list)
  const [removeError, setRemoveError] = useState<Error | null>(null)
  const link = useLink(initial.query)
  const isOwn = initial.own
  const refusal = refusalText(save.error ?? removeError)
  const wrongName = fieldErrorText(save.error, 'name')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const query = view && !isReplaced ? view.query : present
    save.mutate({ id: view?._id, name: name.trim(), query, shared: isShared }, { onSuccess: onClose })
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={view ? text('list.editView', { name: view.name }) : text('list.saveView')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label={text('list.viewName')}
          required
          maxLength={120}
          data-autofocus
          disabled={!isOwn}
          error={wrongName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {isOwn && (mayShare || isShared) && (
          <Option label={text('list.shareView')} isOn={isShared} onChange={setShared} />
        )}
        {view && isOwn && <Option label={text('list.replaceView')} isOn={isReplaced} onChange={setReplaced} />}
        <p role="alert" className="refusal">
          {wrongName ? '' : refusal}
        </p>
        <Group gap={8} justify="flex-end">
          <div className={styles.aside}>
            {view && <RemoveButton list={list} id={view._id} onRemoved={onClose} onFailed={setRemoveError} />}
            <CopyLink link={link} />
          </div>
          <Button variant="default" onClick={onClose}>
            {text('action.cancel')}
          </Button>
          {isOwn && (
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              {text('action.save')}
            </Button>
          )}
        </Group>
      </form>
    </Modal>
  )
}

function refusalText(error: Error | null) {
  return error ? messageOf(error) : ''
}

type RemoveProps = { list: string; id: string; onRemoved: () => void; onFailed: (error: Error) => void }

function RemoveButton({ list, id, onRemoved, onFailed }: RemoveProps) {
  const remove = useRemoveView(list)
  return (
    <Button
      variant="subtle"
      color="no"
      loading={remove.isPending}
      onClick={() => remove.mutate(id, { onSuccess: onRemoved, onError: onFailed })}
    >
      {text('list.deleteView')}
    </Button>
  )
}

function CopyLink({ link }: { link: string }) {
  return (
    <CopyButton value={link}>
      {({ copied, copy }) => (
        <Button variant="subtle" onClick={copy}>
          {copied ? text('action.copied') : text('list.copyLink')}
        </Button>
      )}
    </CopyButton>
  )
}

function Option({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return <Checkbox label={label} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
}

/** The address at which every user of the account finds the view. */
function useLink(query: ViewQuery) {
  const { pathname } = useLocation()
  const parameters = new URLSearchParams(query).toString()
  return `${window.location.origin}${pathname}${parameters ? `?${parameters}` : ''}`
}
