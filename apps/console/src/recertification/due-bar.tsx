import { Button, CloseButton } from '@mantine/core'
import type { Recertifyable, RecertifyableQuery } from '@portcullis/contract/calls/recertification'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkAction } from '../list/bulk/bulk-action.ts'
import styles from '../list/bulk/bulk-bar.module.css'
import { BulkDialog } from '../list/bulk/bulk-dialog.tsx'
import { messageOf } from '../ui/list-notice.tsx'
import { maxSelected } from '../list/bulk/selection.ts'
import type { Selection } from '../list/bulk/use-selection.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { recertifyAction, suspendAction } from './due-actions.ts'
import { loadAllDue, useRefreshDue } from './use-due-list.ts'

type Props = { query: RecertifyableQuery; total: number; selection: Selection<Recertifyable> }

/** The decisions on all selected users, one by one, and a button to select all users of the list. */
export function DueBar({ query, total, selection }: Props) {
  const refresh = useRefreshDue()
  const canManage = useCan('manage', 'Users')
  const [activeAction, setActiveAction] = useState<BulkAction<Recertifyable>>()
  const all = useMutation({ mutationFn: () => loadAllDue(query), onSuccess: selection.add })
  const { size } = selection.selected

  function finish(undone: readonly Recertifyable[]) {
    setActiveAction(undefined)
    selection.keepOnly(undone)
    refresh()
  }

  return (
    <div role="region" aria-label={text('list.selected', { count: size })} className={styles.bar}>
      <CloseButton size={34} aria-label={text('list.clearSelection')} onClick={selection.clear} />
      <strong role="status">{text('list.selected', { count: size })}</strong>
      {size < Math.min(total, maxSelected) && (
        <Button variant="subtle" size="xs" loading={all.isPending} onClick={() => all.mutate()}>
          {total > maxSelected
            ? text('list.selectMost', { most: maxSelected, count: total })
            : text('list.selectMatching', { count: total })}
        </Button>
      )}
      {all.isError && <span className="refusal">{messageOf(all.error)}</span>}
      <div className={styles.actions}>
        {canManage && (
          <Button variant="subtle" color="no" onClick={() => setActiveAction(suspendAction)}>
            {suspendAction.label}
          </Button>
        )}
        <Button onClick={() => setActiveAction(recertifyAction)}>{recertifyAction.label}</Button>
      </div>
      {activeAction && (
        <BulkDialog
          action={activeAction}
          items={selection.latest()}
          nameOf={({ name }) => name}
          onCancel={() => setActiveAction(undefined)}
          onClose={finish}
        />
      )}
    </div>
  )
}
