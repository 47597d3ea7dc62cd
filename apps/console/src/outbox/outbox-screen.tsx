import type { OutboxMail } from '@portcullis/contract/calls/outbox'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconSend } from '@tabler/icons-react'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { text } from '../text/text.ts'
import { OutboxMailRow } from './outbox-mail-row.tsx'
import styles from './outbox.module.css'
import { client } from '../session/client.ts'

/** How many the server tells of. */
const most = 100

/** What became of the mails that the product sends; where no mail server is set, the mails themselves. For hyper users. */
export function OutboxScreen() {
  const { data: mails, error, refetch } = useQuery(outboxQuery)
  return (
    <Screen title={text('outbox.title')}>
      {mails && <Delivery mails={mails} />}
      <div className={styles.panel}>
        {!mails && !error && <SkeletonRows count={6} />}
        {!mails && error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {mails?.length === 0 && <EmptyNotice title={text('outbox.empty')} hint={text('outbox.emptyHint')} />}
        {mails && mails.length > 0 && (
          <ul className={styles.mails} aria-label={text('outbox.list')}>
            {mails.map((mail) => (
              <OutboxMailRow key={mail._id} mail={mail} />
            ))}
          </ul>
        )}
      </div>
      {mails && mails.length >= most && <p className={styles.foot}>{text('outbox.newest')}</p>}
    </Screen>
  )
}

/** Whether mails leave the server is told by the newest that was dealt with. */
function Delivery({ mails }: { mails: readonly OutboxMail[] }) {
  const newest = mails.find(({ status }) => status !== 'waiting')
  if (!newest) return null
  const isKept = newest.status === 'kept'
  const Icon = isKept ? IconAlertTriangle : IconSend
  return (
    <p className={styles.delivery} data-kept={isKept || undefined}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      {text(isKept ? 'outbox.kept' : 'outbox.sending')}
    </p>
  )
}

/** How often it is asked what became of mails that wait. */
const everyMs = 5_000

const outboxQuery = queryOptions({
  queryKey: ['outbox'],
  queryFn: () => client.outbox(),
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? everyMs : false),
})
