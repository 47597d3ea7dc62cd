import { Button, SegmentedControl } from '@mantine/core'
import { maxBatchRows } from '@portcullis/contract/calls/batch-rules'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { ruleDirections, ruleEffects } from '@portcullis/domain/policy'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { useLive } from '../item/use-live.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { ruleTabs } from '../navigation/rule-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { EffectCell, type Rule, SubjectsCell, UnitsCell, WhenCell } from './rule-cells.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import { RuleInAddress } from './rule-in-address.tsx'
import { type Door, RulesByDoor } from './rules-by-door.tsx'
import { RulesByUser } from './rules-by-user.tsx'
import styles from './rules-screen.module.css'
import { useWhole } from '../subjects/use-whole.ts'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'

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
    key: 'when',
    phone: 'plain',
    fields: { schedule: text('rules.schedule'), adhoc: text('rules.adhoc') },
    cell: (rule) => <WhenCell rule={rule} />,
  },
  {
    key: 'name',
    sort: 'name',
    phone: 'hidden',
    width: '16%',
    cell: ({ name }) => <span className="soft">{name}</span>,
  },
  {
    key: 'effect',
    sort: 'effect',
    phone: 'aside',
    width: '128px',
    fields: { effect: text('rules.effect'), enabled: text('rules.enabled') },
    cell: (rule) => <EffectCell rule={rule} />,
  },
  {
    key: 'direction',
    sort: 'direction',
    phone: 'hidden',
    width: '110px',
    isExtra: true,
    cell: ({ direction }) => text(`rules.directions.${direction}`),
  },
  { key: 'note', phone: 'hidden', isExtra: true, cell: ({ note }) => note },
]

const unitsColumn: Column<Rule> = {
  key: 'units',
  label: text('rules.onUnits'),
  phone: 'hidden',
  width: '180px',
  cell: (rule) => <UnitsCell rule={rule} />,
}

const columnsWithUnits = [...columns, unitsColumn]

const filters: ListFilter[] = [
  {
    name: 'effect',
    label: text('rules.effect'),
    kind: 'choice',
    choices: choicesOf(ruleEffects, (effect) => text(`state.${effect}`)),
  },
  { name: 'schedule', label: text('rules.schedule'), kind: 'reference', of: schedules, isNullable: true },
  {
    name: 'enabled',
    label: text('rules.enabled'),
    kind: 'yesNo',
    yes: text('state.enabled'),
    no: text('state.disabled'),
  },
  {
    name: 'direction',
    label: text('rules.direction'),
    kind: 'choice',
    isSeldom: true,
    choices: choicesOf(ruleDirections, (direction) => text(`rules.directions.${direction}`)),
  },
  {
    name: 'until',
    field: 'adhoc.until',
    label: text('rules.adhocFilter'),
    kind: 'instant',
    direction: 'future',
    isSeldom: true,
    isNullable: true,
  },
]

const views = ['rule', 'user', 'door'] as const

type Props = {
  /** The current state of a door, in the view by door. */
  doorState: (door: Door) => ReactNode
}

/** The access of the account, by rule, by user or by door; the address keeps the view. */
export function RulesScreen({ doorState }: Props) {
  const { openNew } = useOpenItem()
  const canManage = useCan('manage', 'Access Control')
  const { view, canChange, show } = useView()
  const add = canManage && <Button onClick={openNew}>{text('rules.add')}</Button>
  return (
    <Screen
      title={text('rules.title')}
      beside={<ScreenTabs label={text('rules.title')} tabs={ruleTabs} />}
      actions={add}
    >
      {canChange && (
        <SegmentedControl
          className={styles.views}
          aria-label={text('accessRows.view')}
          value={view}
          data={views.map((value) => ({ value, label: text(`accessRows.by.${value}`) }))}
          onChange={show}
        />
      )}
      {view === 'rule' && <ByRule add={add} />}
      {view === 'user' && <RulesByUser />}
      {view === 'door' && <RulesByDoor doorState={doorState} />}
      {view !== 'rule' && (
        <>
          <p className={styles.note}>{text('accessRows.enabledOnly')}</p>
          <RuleInAddress />
        </>
      )}
    </Screen>
  )
}

/** Each view has a list of its own, so no other part of the address stays. */
function useView() {
  const { by }: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [seesSites, seesUsers] = [useCan('view', 'Sites'), useCan('view', 'Users')]
  const canChange = useCan('view', 'Access Control') && seesSites && seesUsers
  return {
    view: canChange ? (views.find((each) => each === by) ?? 'rule') : 'rule',
    canChange,
    show: (view: string) => void navigate({ to: '.', search: view === 'rule' ? {} : { by: view } }),
  }
}

function ByRule({ add }: { add: ReactNode }) {
  const { open, openId } = useOpenItem()
  const [seesUnits, seesSites] = [useCan('view', units.subject), useCan('view', 'Sites')]
  return (
    <>
      <CollectionTable
        of={rules}
        label={text('rules.title')}
        columns={seesUnits && seesSites ? columnsWithUnits : columns}
        filters={filters}
        bulk={useRuleActions()}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('rules.empty'), hint: text('rules.emptyHint'), action: add }}
      />
      {seesUnits && <OfflineUnits />}
      <OpenItem of={rules}>{(drawer) => <RuleDrawer {...drawer} />}</OpenItem>
    </>
  )
}

/** Offline controllers continue with the rules that they have applied. */
function OfflineUnits() {
  useLive(units)
  const offline = [...useWhole(units).byId.values()].filter(({ status }) => status === 'offline')
  if (offline.length === 0) return null
  return <p className={styles.offline}>{text('rules.offline', { count: offline.length })}</p>
}

/** The bulk actions on rules that the user may take. */
function useRuleActions(): readonly BulkAction<Rule>[] {
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
    effects: effectsOfSaving(() => ({ enabled: true })),
  }),
  patchAction({
    of: rules,
    key: 'disable',
    label: text('bulk.disableRules'),
    title: (count) => text('bulk.disableRulesTitle', { count }),
    hint: disablingHint,
    changes: () => ({ enabled: false }),
    effects: effectsOfSaving(() => ({ enabled: false })),
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
    effects: effectsOfSaving((schedule) => ({ schedule })),
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

/** A disabled rule takes access that it gives, or gives access that it denies. */
function disablingHint(selected: readonly Rule[]) {
  const effects = ruleEffects.filter((each) => selected.some(({ effect }) => effect === each))
  return effects.map((effect) => text(`bulk.disableRulesHint.${effect}`)).join(' ')
}

function effectsOfSaving(changes: (value: string | null) => object): BulkAction<Rule>['effects'] {
  return {
    of: rules,
    most: maxBatchRows,
    ask: (selected, value) =>
      client.rules.previewBatch({ save: selected.map(({ _id }) => ({ _id, ...changes(value) })) }),
  }
}
