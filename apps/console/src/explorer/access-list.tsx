import type { DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { ExportFormat } from '@portcullis/contract/export-request'
import type { ReactNode } from 'react'
import { type LabelledColumn, DataTable } from '../list/data-table.tsx'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { text } from '../text/text.ts'
import table from '../list/list-panel.module.css'
import styles from './access-list.module.css'
import { AccessToolbar, type AccessView, type Room } from './access-toolbar.tsx'
import { SaveMenu } from './save-menu.tsx'
import summary from './access-summary.module.css'

type Rows<L extends DoorAccess | UserAccess> = L['items'][number]

type Props<L extends DoorAccess | UserAccess> = {
  of: 'people' | 'doors'
  room: Room
  list: { data: L | undefined; error: Error | null; isPlaceholderData: boolean; refetch: () => unknown }
  nameOf: (list: L) => string
  columns: (list: L) => readonly LabelledColumn<Rows<L>>[]
  view: AccessView
  onChange: (changes: Partial<AccessView>) => void
  fetchFile: (format: ExportFormat) => Promise<{ fileName: string; response: Response }>
  /** The next step where no users have access. */
  next?: ReactNode
}

/** Which users can open a door, or which doors a user can open: one sentence, then the list. */
export function AccessList<L extends DoorAccess | UserAccess>(props: Props<L>) {
  const { of, room, list, nameOf, columns, view, onChange, fetchFile, next } = props
  const { data, error, isPlaceholderData, refetch } = list
  if (data === undefined) {
    return (
      <div className={table.panel}>
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows />}
      </div>
    )
  }
  const { counts, hidden, page } = data
  const isBare = counts.now + counts.later + counts.never + hidden === 0
  return (
    <div>
      <AccessSummary list={data} name={nameOf(data)} of={of} />
      {!isBare && (
        <AccessToolbar view={view} onChange={onChange} counts={counts} of={of} room={room}>
          <span className={styles.save}>
            <SaveMenu fetchFile={fetchFile} />
          </span>
        </AccessToolbar>
      )}
      <div className={table.panel} data-stale={isPlaceholderData ? '' : undefined}>
        <RowsOrNotice
          {...{ of, isBare, isWhole: view.can === 'sometime' && view.search === '', next, columns }}
          data={data}
        />
      </div>
      {page.totalElements > 0 && (
        <ListPager page={page} onChange={({ page: to = 0, size = view.size }) => onChange({ page: to, size })} />
      )}
    </div>
  )
}

type RowsProps<L extends DoorAccess | UserAccess> = Pick<Props<L>, 'of' | 'columns' | 'next'> & {
  data: L
  /** Without any users or doors, whether with access or denied. */
  isBare: boolean
  /** All with access are asked for, without a search. */
  isWhole: boolean
}

function RowsOrNotice<L extends DoorAccess | UserAccess>(props: RowsProps<L>) {
  const { of, data, isBare, isWhole, columns, next } = props
  const rows: readonly Rows<L>[] = data.items
  if (rows.length > 0) {
    return (
      <DataTable
        label={text(of === 'people' ? 'explorer.questions.door' : 'explorer.questions.user')}
        items={rows}
        columns={columns(data)}
        total={data.page.totalElements}
        firstAt={data.page.pageNumber * data.page.size}
      />
    )
  }
  if (!isBare && !isWhole) return <EmptyNotice title={text('list.nothingFound')} hint={text('list.nothingFoundHint')} />
  const [title, hint] =
    of === 'people'
      ? [text('explorer.emptyPeople'), text('explorer.emptyPeopleHint')]
      : [text('explorer.emptyDoors'), text('explorer.emptyDoorsHint')]
  // A rule gives no access where the controller has no room.
  const action = data.counts.noRoom > 0 ? undefined : next
  return <EmptyNotice title={title} hint={isBare ? hint : text('explorer.emptyDeniedHint')} action={action} />
}

type SummaryProps = { list: DoorAccess | UserAccess; name: string; of: 'people' | 'doors' }

/** Sums up the answer in a sentence: how many users have access, how many of them now, and how many are denied. */
function AccessSummary({ list: { counts, hidden }, name, of }: SummaryProps) {
  const count = counts.now + counts.later
  const { noRoom } = counts
  const denied = counts.never - noRoom
  /** Further ones, or the first ones that the sentence counts. */
  const amountOf = (some: number, before: number) => {
    if (before > 0) return text('explorer.more', { count: some })
    return text(of === 'people' ? 'explorer.someUsers' : 'explorer.someDoors', { count: some })
  }
  const parts = [
    counts.now > 0 && count > 0 ? text('explorer.nowOf', { count: counts.now }) : '',
    noRoom > 0
      ? text(of === 'people' ? 'explorer.noRoomOf' : 'explorer.noRoomOfDoors', { amount: amountOf(noRoom, count) })
      : '',
    denied > 0 ? text('explorer.alsoDenied', { amount: amountOf(denied, count + noRoom) }) : '',
    hidden > 0 ? text(of === 'people' ? 'explorer.hiddenPeople' : 'explorer.hiddenDoors', { count: hidden }) : '',
  ].filter((part) => part !== '')
  return (
    <p className={summary.summary}>
      <b>
        <bdi>{headline({ count, name, of })}</bdi>
      </b>
      {parts.length > 0 && `: ${parts.join('; ')}`}.
    </p>
  )
}

function headline({ count, name, of }: { count: number; name: string; of: SummaryProps['of'] }) {
  if (of === 'people') return count === 0 ? text('explorer.noUser', { name }) : text('explorer.people', { count, name })
  return count === 0 ? text('explorer.noDoor', { name }) : text('explorer.doors', { count, name })
}
