import { doors } from '@portcullis/contract/collections/doors'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Door } from './door-columns.tsx'

/** What this person may do to many doors at once. */
export function useDoorActions(): readonly BulkAction<Door>[] {
  return useCan('manage', 'Sites') ? actions : none
}

const none: readonly BulkAction<Door>[] = []

const actions: readonly BulkAction<Door>[] = [
  patchAction({
    of: doors,
    key: 'enable',
    label: text('bulk.enableDoors'),
    title: (count) => text('bulk.enableDoorsTitle', { count }),
    changes: () => ({ enabled: true }),
  }),
  patchAction({
    of: doors,
    key: 'disable',
    label: text('bulk.disableDoors'),
    title: (count) => text('bulk.disableDoorsTitle', { count }),
    hint: text('doors.enabledHint'),
    changes: () => ({ enabled: false }),
  }),
  deleteAction({ of: doors, title: (count) => text('bulk.delete.doors', { count }) }),
]
