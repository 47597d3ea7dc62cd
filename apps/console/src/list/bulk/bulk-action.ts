import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { ReactNode } from 'react'
import { client } from '../../session/client.ts'
import { text } from '../../text/text.ts'
import { idOf } from '../../item/item-parts.ts'

/** An action on many rows, one by one. Screens offer those that the user may take. */
export type BulkAction<T> = {
  key: string
  label: string
  /** The question before it starts: `Suspend 12 people?` */
  title: (count: number) => string
  hint?: string | ((items: readonly T[]) => string)
  isDangerous?: boolean
  /** The action needs a value before it starts. */
  input?: (props: { value: string | null; onChange: (value: string | null) => void }) => ReactNode
  /** Returns the id of the entry in the audit log, by which the action is undone. */
  run: (item: T, value: string | null) => Promise<string | undefined>
  /** Tries it with all rows together, at most this many, to show who would gain and lose access. */
  effects?: { of: Collection; most: number; ask: (items: readonly T[], value: string | null) => Promise<ChangePreview> }
}

/** An action on all selected rows at once, with a dialog of its own. */
export type DialogAction<T> = {
  key: string
  label: string
  isDangerous?: boolean
  dialog: (props: { items: readonly T[]; onCancel: () => void; onDone: () => void }) => ReactNode
}

export type SelectionAction<T> = BulkAction<T> | DialogAction<T>

type Deletes<T> = Pick<BulkAction<T>, 'title' | 'hint' | 'effects'>

/** Deletes the rows; an item that is still in use is refused, each with its reason. */
export function deleteAction<C extends Collection>({
  of,
  hint = text('list.batch.deleteHint'),
  ...action
}: Deletes<EntityOf<C>> & { of: C }): BulkAction<EntityOf<C>> {
  return {
    key: 'delete',
    label: text('action.delete'),
    ...action,
    hint,
    isDangerous: true,
    run: (item) => recorded((onRecorded) => client.of(of).remove(idOf(item), { onRecorded })),
  }
}

type Patches<C extends Collection> = Omit<BulkAction<EntityOf<C>>, 'run'> & {
  of: C
  /** The changes of a row; `value` is the selected one. */
  changes: (item: EntityOf<C>, value: string | null) => Record<string, unknown>
}

/** Changes the same fields of each row. */
export function patchAction<C extends Collection>({ of, changes, ...action }: Patches<C>): BulkAction<EntityOf<C>> {
  return {
    ...action,
    run: (item, value) =>
      recorded((onRecorded) => client.of(of).patchFields(idOf(item), changes(item, value), { onRecorded })),
  }
}

async function recorded(change: (onRecorded: (entry: string) => void) => Promise<unknown>) {
  let entry: string | undefined
  await change((recorded) => (entry = recorded))
  return entry
}
