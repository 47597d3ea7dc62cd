import { Button, Drawer, Group } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Collection } from '@portcullis/contract/collection'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, type RefObject, type SubmitEvent, useRef } from 'react'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import styles from './item-drawer.module.css'
import { LeaveOrStay } from './leave-or-stay.tsx'
import { relative } from '../time/time-text.ts'
import { ChangeEffects } from './change-effects.tsx'
import { RoomNotice } from './room-notice.tsx'
import type { ItemForm } from './use-item-form.ts'

type Props<C extends Collection> = {
  form: ItemForm<C>
  title: string
  /** Whether the user may save; otherwise the drawer is read-only. */
  canSave: boolean
  onClose: () => void
  /** Above the fields: read-only content. */
  before?: ReactNode
  /** To the left of Save and Cancel: the delete button. */
  aside?: ReactNode
  /** The width in pixels, where a form needs more room than most. */
  width?: number
  children: ReactNode
  /** Below the fields, for all users: the effects of the values. */
  after?: ReactNode
}

/** A form in a drawer, with Save and Cancel; it asks before changes would be lost, and shows conflicting changes. */
export function ItemDrawer<C extends Collection>(props: Props<C>) {
  const { form, title, canSave, onClose, before, after, aside, width, children } = props
  const formRef = useRef<HTMLFormElement>(null)
  const blocker = useBlocker({
    // After a new sign-in the changes are found as a draft.
    shouldBlockFn: ({ next }) =>
      form.isDirty && !form.isSavedNow.current && !next.pathname.includes('/authentication/'),
    enableBeforeUnload: () => form.isDirty && !form.isSavedNow.current,
    withResolver: true,
  })

  useEscape(formRef, onClose)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // A form inside a form (a picker's dialog) bubbles through React's tree.
    event.stopPropagation()
    if (canSave) void form.submit()
  }

  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        closeOnEscape={false}
        title={title}
        {...(width ? { size: width } : {})}
        closeButtonProps={{ 'aria-label': text('action.close') }}
        classNames={{ content: styles.content, body: styles.body, header: styles.header, title: styles.title }}
      >
        {before}
        <form ref={formRef} onSubmit={submit} noValidate className={styles.form}>
          <fieldset className={styles.fields} disabled={!canSave} ref={form.id === undefined ? focusFirst : undefined}>
            {form.draft && canSave && (
              <DraftNotice at={form.draft.at} onRestore={form.restoreDraft} onDrop={form.dropDraft} />
            )}
            {form.conflict && (
              <ConflictNotice
                of={form.of}
                fields={form.conflict}
                isSaving={form.isSaving}
                onLoadSaved={form.loadSaved}
                onSaveEdited={() => void form.saveEdited()}
              />
            )}
            {children}
          </fieldset>
          <div className={styles.after}>
            {after}
            {canSave && <ChangeEffects form={form} />}
          </div>
          <div className={styles.footer}>
            <div role="alert" className={styles.failure}>
              {form.failure}
            </div>
            <RoomNotice form={form} />
            <Group gap={8} justify="flex-end">
              <div className={styles.aside}>{aside}</div>
              <Button variant="default" onClick={onClose}>
                {canSave ? text('action.cancel') : text('action.close')}
              </Button>
              {canSave && (
                <Button type="submit" loading={form.isSaving} disabled={!form.isDirty || form.tried !== undefined}>
                  {text('action.save')}
                </Button>
              )}
            </Group>
          </div>
        </form>
      </Drawer>
      {blocker.status === 'blocked' && (
        <LeaveOrStay
          onLeave={() => {
            form.dropDraft()
            blocker.proceed()
          }}
          onStay={blocker.reset}
        />
      )}
    </>
  )
}

/** Escape in a dialog above the drawer, or in an open list of choices, belongs to that. */
function useEscape(form: RefObject<HTMLFormElement | null>, onClose: () => void) {
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof Element)) return
      const topmost = [...document.querySelectorAll('[role=dialog]')].at(-1)
      const isElsewhere = topmost !== undefined && !topmost.contains(form.current)
      const isOfChoices = event.target.getAttribute('data-mantine-stop-propagation') === 'true'
      if (!isElsewhere && !isOfChoices) onClose()
    },
    { capture: true },
  )
}

function DraftNotice({ at, onRestore, onDrop }: { at: string; onRestore: () => void; onDrop: () => void }) {
  return (
    <div className={styles.draft} role="status">
      <p>{text('draft.found', { at: relative(new Date(at), useMinute()) })}</p>
      <Group gap={8}>
        <Button size="xs" variant="default" onClick={onDrop}>
          {text('draft.drop')}
        </Button>
        <Button size="xs" onClick={onRestore}>
          {text('draft.takeUp')}
        </Button>
      </Group>
    </div>
  )
}

/** A new item begins in its first field; the drawer's focus trap looks for this mark. */
function focusFirst(fields: HTMLFieldSetElement | null) {
  fields?.querySelector('input, textarea')?.setAttribute('data-autofocus', '')
}
