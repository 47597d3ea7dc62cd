import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Rule } from './rule-cells.tsx'

/** What this person may do to many rules at once. */
export function useRuleActions(): readonly BulkAction<Rule>[] {
  return useCan('manage', 'Access Control') ? actions : none
}

const none: readonly BulkAction<Rule>[] = []

const actions: readonly BulkAction<Rule>[] = [
  patchAction({
    of: rules,
    key: 'enable',
    label: text('bulk.enableRules'),
    title: (count) => text('bulk.enableRulesTitle', { count }),
    changes: () => ({ enabled: true }),
  }),
  patchAction({
    of: rules,
    key: 'disable',
    label: text('bulk.disableRules'),
    title: (count) => text('bulk.disableRulesTitle', { count }),
    hint: text('bulk.disableRulesHint'),
    changes: () => ({ enabled: false }),
  }),
  patchAction({
    of: rules,
    key: 'schedule',
    label: text('bulk.setSchedule'),
    title: (count) => text('bulk.setScheduleTitle', { count }),
    input: ({ value, onChange }) => (
      <ReferencePicker of={schedules} label={text('rules.schedule')} isRequired value={value} onChange={onChange} />
    ),
    changes: (_rule, schedule) => ({ schedule }),
  }),
  deleteAction({ of: rules, title: (count) => text('bulk.delete.rules', { count }) }),
]
