import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import {
  type DueChoice,
  dueChoices,
  type Recertifyable,
  type RecertifyableQuery,
} from '@portcullis/contract/calls/recertification'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { BulkDialog } from '../list/bulk/bulk-dialog.tsx'
import { DataTable } from '../list/data-table.tsx'
import panel from '../list/list-panel.module.css'
import { StaleListBar } from '../list/list-bars.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListRows } from '../list/list-rows.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { useListState } from '../list/state/use-list-state.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useSelection } from '../list/bulk/use-selection.ts'
import { text } from '../text/text.ts'
import { suspendAction } from './due-actions.ts'
import { DueBar } from './due-bar.tsx'
import { dueColumns } from './due-columns.tsx'
import { useDueList, useRefreshDue } from './use-due-list.ts'
import type { ListChanges, ListPlace, ListState } from '../list/state/list-state.ts'
import { ListToolbar } from '../list/list-toolbar.tsx'
import { soonDays } from './due-in-words.ts'
import { choicesOf } from '../list/filters/filters.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import styles from './recertify-screen.module.css'

/** The parameters of the list of due users in the URL. */
const duePlace: ListPlace = {
  prefix: '',
  filters: [
    {
      name: 'due',
      label: text('recertification.show'),
      kind: 'choice',
      choices: choicesOf(dueChoices, (choice) => text(`recertification.shown.${choice}`, { days: soonDays })),
    },
  ],
  sortable: ['recertifyBy', 'name'],
  columnKeys: [],
  sort: { prop: 'recertifyBy', dir: 'asc' },
  size: 20,
}

/** The default: users who are due, not all who will be. */
const initialDue: DueChoice = 'soon'

/** Users to recertify, the most urgent first, and the decision on each; `children` is the drawer of a user. */
export function RecertifyScreen({ children }: { children: ReactNode }) {
  const { state, change } = useListState(duePlace)
  const { open, openId } = useOpenItem()
  const isNarrow = useIsNarrow()
  const refresh = useRefreshDue()
  const [suspending, setSuspending] = useState<Recertifyable>()
  const due = dueOf(state)
  const query = dueQueryOf(state)
  const { list, counts } = useDueList(query)
  const { data, isFetching, isPlaceholderData } = list
  const { items, page } = data ?? noPage
  const selection = useSelection<Recertifyable>(JSON.stringify([due, state.search])).over(items)
  const total = page?.totalElements ?? 0
  const columns = useMemo(() => dueColumns({ onSuspend: setSuspending }), [])
  const isEnforced = counts.all !== 0
  const showAll = due === 'all' ? undefined : () => change({ filters: { due: 'all' } })

  return (
    <Screen title={text('recertification.title')}>
      {isEnforced && <DueHead {...{ state, counts, list }} onChange={change} />}
      <StaleListBar list={list} />
      <div className={panel.panel} aria-busy={isFetching} data-stale={isPlaceholderData ? '' : undefined}>
        <ListRows
          list={list}
          empty={emptyOf({ isEnforced, onAll: showAll })}
          skeleton={<SkeletonRows />}
          isNarrowed={state.search !== ''}
          onClear={() => change({ search: '' })}
          onFirstPage={() => change({ page: 0 })}
        >
          <DataTable
            label={text('recertification.title')}
            items={items}
            columns={columns}
            total={total}
            firstAt={state.page * state.size}
            sort={state.sort}
            onSort={isNarrow ? undefined : (sort) => change({ sort })}
            onOpen={({ _id }) => open(_id)}
            openId={openId}
            selection={selection}
          />
        </ListRows>
      </div>
      {page && total > 0 && <ListPager page={page} onChange={change} />}
      {selection.selected.size > 0 && <DueBar query={query} total={total} selection={selection} />}
      {suspending && <SuspendDialog user={suspending} onEnd={() => setSuspending(undefined)} onDone={refresh} />}
      {children}
    </Screen>
  )
}

type HeadProps = Pick<ReturnType<typeof useDueList>, 'list' | 'counts'> & {
  state: Parameters<typeof DueToolbar>[0]['state']
  onChange: Parameters<typeof DueToolbar>[0]['onChange']
}

/** The total, and the filters; without the filters if the list was refused. */
function DueHead({ state, counts, list: { data, isError }, onChange }: HeadProps) {
  const total = data?.page.totalElements
  return (
    <>
      <PeriodNote overdue={counts.overdue} days={data?.items[0]?.recertifyEveryDays} />
      {(data || !isError) && <DueToolbar state={state} counts={counts} total={total} onChange={onChange} />}
    </>
  )
}

type SuspendProps = { user: Recertifyable; onEnd: () => void; onDone: () => void }

/** Outside the user's row, which leaves the list before the result has been read. */
function SuspendDialog({ user, onEnd, onDone }: SuspendProps) {
  return (
    <BulkDialog
      action={suspendAction}
      items={[user]}
      nameOf={({ name }) => name}
      onCancel={onEnd}
      onClose={() => {
        onEnd()
        onDone()
      }}
    />
  )
}

const noPage: { items: readonly Recertifyable[]; page?: undefined } = { items: [] }

function emptyOf({ isEnforced, onAll }: { isEnforced: boolean; onAll: (() => void) | undefined }) {
  if (!isEnforced) {
    const [title, hint] = [text('recertification.notEnforced'), text('recertification.notEnforcedHint')]
    return { title, hint, action: <AccountLink>{text('recertification.openAccount')}</AccountLink> }
  }
  return {
    title: text('recertification.noneDue'),
    hint: text('recertification.noneDueHint'),
    action: onAll && (
      <Button variant="default" onClick={onAll}>
        {text('recertification.showAll')}
      </Button>
    ),
  }
}

type Props = {
  state: ListState
  counts: Readonly<Record<DueChoice, number | undefined>>
  total: number | undefined
  onChange: (changes: ListChanges) => void
}

/** A search, and the kind of users, with the number of each. */
function DueToolbar({ state, counts, total, onChange }: Props) {
  const isNarrow = useIsNarrow()
  const choices = dueChoices.map((value) => ({ value, label: labelOf(value, counts[value]) }))
  const label = text('recertification.show')

  function choose(value: string) {
    onChange({ filters: value === initialDue ? {} : { due: value } })
  }

  return (
    <ListToolbar
      label={text('recertification.title')}
      // The kind of users is selected beside it, and is not counted as a filter.
      state={{ ...state, filters: {} }}
      filters={[]}
      hasSearch
      orders={[
        { prop: 'recertifyBy', label: text('recertification.due') },
        { prop: 'name', label: text('recertification.person') },
      ]}
      total={total}
      onChange={onChange}
    >
      {isNarrow ? (
        <NativeSelect
          aria-label={label}
          value={dueOf(state)}
          data={choices}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      ) : (
        <SegmentedControl aria-label={label} value={dueOf(state)} data={choices} onChange={choose} />
      )}
    </ListToolbar>
  )
}

function labelOf(choice: DueChoice, count: number | undefined) {
  const name = text(`recertification.shown.${choice}`, { days: soonDays })
  return count === undefined ? name : text('recertification.shownCount', { name, count })
}

function dueOf({ filters }: Pick<ListState, 'filters'>): DueChoice {
  return dueChoices.find((choice) => choice === filters['due']) ?? initialDue
}

/** The server query for the state in the URL. */
function dueQueryOf(state: ListState): RecertifyableQuery {
  const { search, page, size, sort } = state
  return {
    due: dueOf(state),
    days: soonDays,
    search,
    page,
    size,
    sort: { prop: sort?.prop === 'name' ? 'name' : 'recertifyBy', dir: sort?.dir ?? 'asc' },
  }
}

type NoteProps = { overdue: number | undefined; days: number | undefined }

/** Background of the list: how many users have lost access, how often users are recertified, and where that is set. */
function PeriodNote({ overdue, days }: NoteProps) {
  if (overdue === undefined) return null
  return (
    <div className={styles.note}>
      {overdue === 0 ? (
        <StateTag state="certified">{text('recertification.noneOverdue')}</StateTag>
      ) : (
        <>
          <StateTag state="overdue">{text('recertification.overdueNow', { count: overdue })}</StateTag>
          <span>{text('recertification.overdueMeans')}</span>
        </>
      )}
      {days !== undefined && (
        <>
          <span className="soft">{text('recertification.period', { count: days })}</span>
          <AccountLink>{text('recertification.periodWhere')}</AccountLink>
        </>
      )}
    </div>
  )
}

/** A link to the form of the account, for users who may see it. */
function AccountLink({ children }: { children: ReactNode }) {
  const { ref, _id } = useAccount()
  const to: string = `/${ref}/account/list`
  const seesAccounts = useCan('view', 'Accounts')
  return (
    seesAccounts && (
      <Link to={to} search={{ open: _id }}>
        {children}
      </Link>
    )
  )
}
