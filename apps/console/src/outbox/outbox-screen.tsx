import type { OutboxMail } from '@portcullis/contract/calls/outbox'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconSend } from '@tabler/icons-react'
import { Button, CopyButton } from '@mantine/core'
import { useId, useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { text } from '../text/text.ts'
import styles from './outbox.module.css'
import { client } from '../session/client.ts'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'

/** How many the server returns. */
const most = 100

const looks: Record<OutboxMail['status'], State> = {
  waiting: 'waiting',
  sent: 'confirmed',
  kept: 'out_of_service',
  failed: 'refused',
}

/** For hyper users: the status of the emails that the product sends; without a mail server, the emails themselves. */
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

/** Whether mails leave the server is shown by the most recently handled one. */
function Delivery({ mails }: { mails: readonly OutboxMail[] }) {
  const newest = mails.find(({ status }) => status !== 'waiting')
  if (!newest) return null
  const isFile = newest.status === 'kept'
  const Icon = isFile ? IconAlertTriangle : IconSend
  return (
    <p className={styles.delivery} data-kept={isFile || undefined}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      {text(isFile ? 'outbox.kept' : 'outbox.sending')}
    </p>
  )
}

/** How often the status of waiting mails is loaded. */
const everyMs = 5_000

const outboxQuery = queryOptions({
  queryKey: ['outbox'],
  queryFn: () => client.outbox(),
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? everyMs : false),
})

/** One email: its subject, recipient, time, status and reason, and its text if it is stored here. */
function OutboxMailRow({ mail }: { mail: OutboxMail }) {
  const { to, subject, createdAt, status, attempts, problem, text: body } = mail
  const [isShown, setShown] = useState(false)
  const id = useId()
  const what = text(isShown ? 'outbox.hide' : 'outbox.show')
  return (
    <li>
      <div className={styles.row}>
        <span className={styles.what}>
          <b>{subject}</b>
          <bdi className="second">{to}</bdi>
        </span>
        <span className={styles.state}>
          <StateTag state={looks[status]}>{text(`outbox.states.${status}`)}</StateTag>
          {(attempts > 1 || problem !== null) && (
            <span className="soft">{text('outbox.attempts', { count: attempts })}</span>
          )}
        </span>
        <span className={styles.at}>
          <Time at={createdAt} />
        </span>
        {body !== null && (
          <Button
            className={styles.show}
            size="xs"
            variant="default"
            aria-expanded={isShown}
            aria-controls={id}
            aria-label={text('outbox.ofMail', { what, subject, to })}
            onClick={() => setShown(!isShown)}
          >
            {what}
          </Button>
        )}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
      <div id={id} hidden={!isShown}>
        {isShown && body !== null && <MailText text={body} />}
      </div>
    </li>
  )
}

/** The text of a mail, with its links to follow and to copy. */
function MailText({ text: body }: { text: string }) {
  const links = body.match(link) ?? []
  return (
    <div className={styles.mail}>
      <p className={styles.text}>
        {body.split(link).map((words, index) => (
          <span key={index}>
            {words}
            {links[index] && <a href={links[index]}>{links[index]}</a>}
          </span>
        ))}
      </p>
      {links.map((each) => (
        <div key={each} className={styles.copy}>
          <CopyButton value={each}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {text(copied ? 'action.copied' : 'outbox.copyLink')}
              </Button>
            )}
          </CopyButton>
          <span className="soft">{text('outbox.secret')}</span>
        </div>
      ))}
    </div>
  )
}

const link = /https?:\/\/[^\s<>"]+/gu
