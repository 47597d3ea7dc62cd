import { Button } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import { ruleEffects } from '@portcullis/domain/policy'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AdhocActions, AdhocBar } from './adhoc-bar.tsx'
import { AdhocState, BoxTime, isForTime } from './adhoc-cells.tsx'
import { adhocBulkActions } from './adhoc-bulk.tsx'
import { adhocStates, stateFilter } from './adhoc-state.ts'
import { AdhocTabs, temporary } from './adhoc-tabs.tsx'
import { AddTemporaryAccess } from './add-temporary-access.tsx'
import { type Rule, SubjectsCell } from './rule-cells.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import type { BulkAction } from '../list/bulk/bulk-action.ts'

const columns: Column<Rule>[] = [
  {
    key: 'who',
    phone: 'title',
    cell: ({ who }) => <SubjectsCell subjects={who} none={text('rules.noUser')} />,
  },
  {
    key: 'where',
    phone: 'plain',
    cell: ({ where }) => <SubjectsCell subjects={where} none={text('rules.nowhere')} />,
  },
  {
    key: 'from',
    label: text('adhoc.from'),
    sort: 'adhoc.from',
    phone: 'line',
    width: '190px',
    cell: (rule) => rule.adhoc && <BoxTime rule={rule} at={rule.adhoc.from} />,
  },
  {
    key: 'until',
    label: text('adhoc.until'),
    sort: 'adhoc.until',
    phone: 'line',
    width: '190px',
    cell: (rule) => rule.adhoc && <BoxTime rule={rule} at={rule.adhoc.until} />,
  },
  {
    key: 'state',
    label: text('adhoc.state'),
    phone: 'plain',
    width: '210px',
    cell: (rule) => isForTime(rule) && <AdhocState rule={rule} />,
  },
  {
    key: 'effect',
    sort: 'effect',
    phone: 'hidden',
    width: '110px',
    isExtra: true,
    fields: { effect: text('rules.effect'), enabled: text('rules.enabled') },
    cell: ({ effect }) => <StateTag state={effect} />,
  },
  {
    key: 'name',
    sort: 'name',
    phone: 'hidden',
    isExtra: true,
    cell: ({ name }) => <span className="soft">{name}</span>,
  },
  { key: 'note', phone: 'hidden', isExtra: true, cell: ({ note }) => <span className="soft">{note}</span> },
  {
    key: 'actions',
    label: text('adhoc.actions'),
    phone: 'plain',
    width: '190px',
    cell: (rule) => isForTime(rule) && <AdhocActions rule={rule} onDone={noop} />,
  },
]

const filters: ListFilter[] = [
  {
    name: 'state',
    label: text('adhoc.state'),
    kind: 'choice',
    isSeldom: true,
    choices: adhocStates.map((state) => ({
      value: state,
      label: text(`adhoc.states.${state}`),
      toFilter: (now) => stateFilter(state, now),
    })),
  },
  { name: 'until', field: 'adhoc.until', label: text('adhoc.until'), kind: 'instant', direction: 'future' },
  {
    name: 'effect',
    label: text('rules.effect'),
    kind: 'choice',
    isSeldom: true,
    choices: choicesOf(ruleEffects, (effect) => text(`state.${effect}`)),
  },
]

function noop() {}

/** Temporary access: the rules with a time box. */
export function AdhocScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Access Control')
  const add = canManage && <Button onClick={openNew}>{text('adhoc.add')}</Button>
  return (
    <Screen title={text('adhoc.title')} beside={<AdhocTabs />} actions={add}>
      <CollectionTable
        of={rules}
        list="rules.adhoc"
        label={text('adhoc.title')}
        columns={columns}
        filters={filters}
        within={temporary}
        bulk={useAdhocActions()}
        sort={{ prop: 'adhoc.until', dir: 'desc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('adhoc.empty'), hint: text('adhoc.emptyHint'), action: add }}
      />
      <OpenItem of={rules}>
        {({ item, onClose }) =>
          item === undefined ? (
            <AddTemporaryAccess onClose={onClose} />
          ) : (
            <RuleDrawer
              item={item}
              onClose={onClose}
              before={isForTime(item) && <AdhocBar rule={item} onDone={onClose} />}
            />
          )
        }
      </OpenItem>
    </Screen>
  )
}

/** The bulk actions on temporary access that the user may take. */
function useAdhocActions(): readonly BulkAction<Rule>[] {
  return useCan('manage', 'Access Control') ? adhocBulkActions : none
}

const none: readonly BulkAction<Rule>[] = []
