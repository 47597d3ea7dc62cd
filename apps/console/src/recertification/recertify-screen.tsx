import { Button } from '@mantine/core'
import type { Recertifyable } from '@portcullis/contract/calls/recertification'
import { type ReactNode, useMemo, useState } from 'react'
import { BulkDialog } from '../list/bulk/bulk-dialog.tsx'
import { DataTable } from '../list/data-table.tsx'
import panel from '../list/list-panel.module.css'
import { StaleListBar } from '../list/list-bars.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListRows } from '../list/list-rows.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { useListState } from '../list/use-list-state.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useSelection } from '../list/bulk/use-selection.ts'
import { text } from '../text/text.ts'
import { suspendAction } from './due-actions.ts'
import { DueBar } from './due-bar.tsx'
import { dueColumns } from './due-columns.tsx'
import { dueOf, duePlace, dueQueryOf } from './due-query.ts'
import { DueToolbar } from './due-toolbar.tsx'
import { AccountLink, PeriodNote } from './period-note.tsx'
import { useDueList, useRefreshDue } from './use-due-list.ts'

/** Who has to be recertified, the most urgent first, and the decision about each; `children` is the drawer of a person. */
export function RecertifyScreen({ children }: { children: ReactNode }) {
  const { state, change } = useListState(duePlace)
  const { open, openId } = useOpenItem()
  const isNarrow = useIsNarrow()
  const refresh = useRefreshDue()
  const [suspending, setSuspending] = useState<Recertifyable>()
  const due = dueOf(state)
  const query = dueQueryOf(state)
  const { list, counts } = useDueList(query)
  const { data, isError, isFetching, isPlaceholderData } = list
  const { items, page } = data ?? noPage
  const selection = useSelection<Recertifyable>(JSON.stringify([due, state.search])).over(items)
  const total = page?.totalElements ?? 0
  const isRefused = isError && !data
  const columns = useMemo(() => dueColumns({ onSuspend: setSuspending }), [])
  const isEnforced = counts.all !== 0
  const showAll = due === 'all' ? undefined : () => change({ filters: { due: 'all' } })

  return (
    <Screen title={text('recertification.title')}>
      {isEnforced && (
        <>
          <PeriodNote overdue={counts.overdue} days={items[0]?.recertifyEveryDays} />
          {!isRefused && <DueToolbar state={state} counts={counts} total={page?.totalElements} onChange={change} />}
        </>
      )}
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
    title: text('recertification.nobody'),
    hint: text('recertification.nobodyHint'),
    action: onAll && (
      <Button variant="default" onClick={onAll}>
        {text('recertification.showAll')}
      </Button>
    ),
  }
}
