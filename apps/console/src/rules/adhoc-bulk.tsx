import { Input, SegmentedControl } from '@mantine/core'
import { maxBatchRows } from '@portcullis/contract/calls/batch-rules'
import { rules } from '@portcullis/contract/collections/rules'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { client } from '../session/client.ts'
import { serverNow } from '../session/server-clock.ts'
import { text } from '../text/text.ts'
import { adhocStateOf, endedNow, extended, extensions } from './adhoc-state.ts'
import type { Rule } from './rule-cells.tsx'

/** The bulk actions on temporary access. */
export const adhocBulkActions: readonly BulkAction<Rule>[] = [
  patchAction({
    of: rules,
    key: 'end',
    label: text('adhoc.endNow'),
    title: (count) => text('adhoc.endMany', { count }),
    hint: text('adhoc.endManyHint'),
    changes: changesToEnd,
    effects: effectsOf(changesToEnd),
  }),
  patchAction({
    of: rules,
    key: 'extend',
    label: text('adhoc.extend'),
    title: (count) => text('adhoc.extendMany', { count }),
    hint: text('adhoc.extendManyHint'),
    input: ({ value, onChange }) => (
      <Input.Wrapper label={text('adhoc.extend')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={text('adhoc.extend')}
          value={value ?? ''}
          onChange={onChange}
          data={extensions.map((by) => ({ value: by, label: text(`adhoc.by.${by}`) }))}
        />
      </Input.Wrapper>
    ),
    changes: changesToExtend,
    effects: effectsOf(changesToExtend),
  }),
  deleteAction({
    of: rules,
    title: (count) => text('bulk.delete.rules', { count }),
    effects: {
      of: rules,
      most: maxBatchRows,
      ask: (selected) => client.rules.previewBatch({ delete: selected.map(({ _id }) => _id) }),
    },
  }),
]

function effectsOf(changes: (rule: Rule, value: string | null) => object): BulkAction<Rule>['effects'] {
  return {
    of: rules,
    most: maxBatchRows,
    ask: (selected, value) =>
      client.rules.previewBatch({
        save: selected.map((rule) => ({ _id: rule._id, enabled: rule.enabled, ...changes(rule, value) })),
      }),
  }
}

function changesToExtend({ adhoc }: Rule, value: string | null) {
  const by = extensions.find((each) => each === value)
  return adhoc && by ? { adhoc: extended(adhoc, { by, now: present() }) } : {}
}

/** A time box ends after it starts, so upcoming access cannot be ended; disabled, it does not start. */
function changesToEnd({ adhoc }: Rule) {
  if (adhoc === null) return {}
  switch (adhocStateOf(adhoc, present())) {
    case 'in_force':
      return { adhoc: endedNow(adhoc, present()) }
    case 'to_come':
      return { enabled: false }
    case 'ended':
      return {}
  }
}

function present() {
  return new Date(serverNow())
}
