import { Button, Drawer } from '@mantine/core'
import { accounts } from '@portcullis/contract/collections/accounts'
import { auditActions, auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import { users } from '@portcullis/contract/collections/users'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { CollectionTable } from '../list/collection-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { eventTabs } from '../navigation/event-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { columns } from './audit-columns.tsx'
import { isCollection, kindOf } from './audit-entry.ts'
import styles from './audit-logs-screen.module.css'
import { isNotFound } from '@portcullis/client/api-error'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useItem } from '../item/use-item.ts'
import { EntryDetails } from './entry-details.tsx'

/** The audit log, live: each change with its author, time, and values before and after. */
export function AuditLogsScreen() {
  const { open, openId } = useOpenItem('entry')
  const one = useNarrowing()
  return (
    <Screen title={text('audit.title')} beside={<ScreenTabs label={text('events.title')} tabs={eventTabs} />}>
      {one.title && (
        <p className={styles.one}>
          {one.title}
          <Button variant="subtle" size="compact-sm" onClick={one.end}>
            {text('audit.historyEnd')}
          </Button>
        </p>
      )}
      <CollectionTable
        of={auditLogs}
        label={text('audit.title')}
        columns={columns}
        filters={useFilters()}
        {...(one.within ? { within: one.within } : {})}
        sort={{ prop: 'at', dir: 'desc' }}
        size={50}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('audit.empty'), hint: text('audit.emptyHint') }}
      />
      <EntryDrawer />
    </Screen>
  )
}

/** The filters whose values the user may look up. */
function useFilters(): ListFilter[] {
  const seesUsers = useCan('view', 'Users')
  const seesAccounts = useCan('view', 'Accounts')
  const filters: (ListFilter | false)[] = [
    { name: 'at', label: text('audit.at'), kind: 'instant', direction: 'past' },
    {
      name: 'collection',
      label: text('audit.collection'),
      kind: 'choice',
      choices: choicesOf(changed, (collection) => text(`${collection}.one`)),
    },
    {
      name: 'action',
      label: text('audit.action'),
      kind: 'choice',
      choices: choicesOf(auditActions, (action) => text(`audit.actions.${action}`)),
    },
    seesUsers && { name: 'actor', label: text('audit.actor'), kind: 'reference', of: users, isNullable: true },
    seesAccounts && {
      name: 'assumedAccount',
      label: text('audit.assumedAccount'),
      kind: 'reference',
      of: accounts,
      isNullable: true,
      isSeldom: true,
    },
    { name: 'policyVersion', label: text('audit.version'), kind: 'number', isNullable: true, isSeldom: true },
  ]
  return filters.filter((filter) => filter !== false)
}

/** The collections that users change; the logs themselves are only exported. */
const changed = Object.keys(collections).filter(isCollection)

/** `?item={_id}&of=doors` filters the log by one item, `?assumption={_id}` by one assumption. */
function useNarrowing() {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const item = z.uuid().safeParse(search['item']).data
  const assumption = z.uuid().safeParse(search['assumption']).data
  return {
    ...narrowedTo({ item, assumption, kind: kindOf({ collection: search['of'] ?? '' }) }),
    end() {
      void navigate({
        to: '.',
        search: (current: Record<string, string | undefined>) => ({
          ...current,
          item: undefined,
          of: undefined,
          assumption: undefined,
        }),
      })
    },
  }
}

type Narrowed = { item: string | undefined; assumption: string | undefined; kind: string }

function narrowedTo({ item, assumption, kind }: Narrowed) {
  if (item) return { within: { item }, title: text('audit.historyOf', { kind: kind.toLowerCase() }) }
  return assumption ? { within: { assumption }, title: text('audit.acting.one') } : {}
}

const widthPx = 720

/** The entry in the address: `?entry={_id}`. */
function EntryDrawer() {
  const { openId, open, close } = useOpenItem('entry')
  const entry = useItem(auditLogs, openId)
  if (openId === undefined) return null

  function content() {
    if (entry.data) return <EntryDetails key={openId} entry={entry.data} onOpen={open} />
    if (!entry.isError) return <SkeletonRows count={6} />
    if (isNotFound(entry.error)) return <EmptyNotice title={text('audit.notHere')} hint={text('audit.notHereHint')} />
    return <ErrorNotice error={entry.error} onRetry={() => void entry.refetch()} />
  }

  return (
    <Drawer
      opened
      onClose={close}
      size={widthPx}
      title={text('audit.one')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {content()}
    </Drawer>
  )
}
