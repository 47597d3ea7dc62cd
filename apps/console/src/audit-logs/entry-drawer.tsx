import { Drawer } from '@mantine/core'
import { isNotFound } from '@portcullis/client/api-error'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useItem } from '../item/use-item.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { text } from '../text/text.ts'
import { EntryDetails } from './entry-details.tsx'

const widthPx = 720

/** The entry that the address names: `?entry={_id}`. */
export function EntryDrawer() {
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
