import { rules } from '@portcullis/contract/collections/rules'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { serverNow } from '../session/server-clock.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { adhocStateOf, endedNow, extended } from './adhoc-state.ts'
import type { Rule } from './rule-cells.tsx'

/** What this person may do to many rules for a time at once. */
export function useAdhocActions(): readonly BulkAction<Rule>[] {
  return useCan('manage', 'Access Control') ? actions : none
}

const none: readonly BulkAction<Rule>[] = []

const actions: readonly BulkAction<Rule>[] = [
  patchAction({
    of: rules,
    key: 'end',
    label: text('adhoc.endNow'),
    title: (count) => text('adhoc.endMany', { count }),
    hint: text('adhoc.endManyHint'),
    changes: ({ adhoc }) => (adhoc ? changesToEnd(adhoc) : {}),
  }),
  patchAction({
    of: rules,
    key: 'extend',
    label: text('adhoc.extendDay'),
    title: (count) => text('adhoc.extendMany', { count }),
    changes: ({ adhoc }) => (adhoc ? { adhoc: extended(adhoc, { by: 'day', now: new Date(serverNow()) }) } : {}),
  }),
  deleteAction({ of: rules, title: (count) => text('bulk.delete.rules', { count }) }),
]

/** A time box ends after it begins, so what has not begun can't be ended; disabled it does not begin. */
function changesToEnd(adhoc: { from: string; until: string }) {
  const now = new Date(serverNow())
  switch (adhocStateOf(adhoc, now)) {
    case 'in_force':
      return { adhoc: endedNow(adhoc, now) }
    case 'to_come':
      return { enabled: false }
    case 'ended':
      return {}
  }
}
