import type { EntityOf } from '@portcullis/contract/collection'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type User = EntityOf<typeof users>

/** What this person may do to many people at once. */
export function useUserActions(): readonly BulkAction<User>[] {
  return useCan('manage', 'Users') ? actions : none
}

const none: readonly BulkAction<User>[] = []

const actions: readonly BulkAction<User>[] = [
  patchAction({
    of: users,
    key: 'suspend',
    label: text('bulk.suspend'),
    title: (count) => text('bulk.suspendTitle', { count }),
    hint: text('bulk.suspendHint'),
    changes: () => ({ status: 'suspended' }),
  }),
  patchAction({
    of: users,
    key: 'restore',
    label: text('bulk.restore'),
    title: (count) => text('bulk.restoreTitle', { count }),
    changes: () => ({ status: 'active' }),
  }),
  patchAction({
    of: users,
    key: 'group',
    label: text('bulk.addToGroup'),
    title: (count) => text('bulk.addToGroupTitle', { count }),
    input: ({ value, onChange }) => (
      <ReferencePicker of={userGroups} label={text('users.groups')} isRequired value={value} onChange={onChange} />
    ),
    // With the version: groups are written as a whole, and somebody else may have changed them.
    changes: ({ groups, version }, group) => ({
      groups: [...new Set([...groups, ...(group ? [group] : [])])],
      version,
    }),
  }),
  deleteAction({ of: users, title: (count) => text('bulk.delete.users', { count }) }),
]
