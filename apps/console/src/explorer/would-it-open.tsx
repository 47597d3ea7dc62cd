import type { AccessQuestion } from '@portcullis/contract/calls/explorer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { events } from '@portcullis/contract/collections/events'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { AnswerPanel } from './answer-panel.tsx'
import { QuestionForm } from './question-form.tsx'
import type { ExplorerQuery, useExplorerQuery } from './use-explorer-query.ts'
import styles from './would-it-open.module.css'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { Time } from '../time/time.tsx'
import { useList } from '../item/use-list.ts'
import refusals from './recent-refusals.module.css'

const most = 5

/** Whether a card would open a door at a time: the question on the left, the answer on the right. */
export function WouldItOpen(props: ReturnType<typeof useExplorerQuery>) {
  const { data, error, isError, isPlaceholderData, isLoading, refetch } = useAnswer(props.query)
  const site = data && { time: data.siteTime, zone: data.door.site.timeZone }
  const errorAt = fieldErrorText(error, 'at')

  function answer() {
    if (isError && errorAt === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />
    if (isLoading) return <SkeletonRows count={6} />
    if (data === undefined || isError) {
      const refusals = <RecentRefusals change={props.change} />
      return <EmptyNotice title={text('explorer.start')} hint={text('explorer.startHint')} action={refusals} />
    }
    return <AnswerPanel answer={data} isNow={props.query.at === undefined} />
  }

  return (
    <div className={styles.columns}>
      <section className={styles.question} aria-label={text('explorer.question')}>
        <QuestionForm
          key={props.query.number === undefined ? 'person' : 'number'}
          {...props}
          site={site}
          errorAt={errorAt}
        />
      </section>
      <section className={styles.answer} aria-live="polite" data-stale={isPlaceholderData ? '' : undefined}>
        {answer()}
      </section>
    </div>
  )
}

/** The answer to a complete question; a question about the present is repeated every minute. */
function useAnswer(query: ExplorerQuery) {
  const { ref } = useAccount()
  const minute = useMinute().toISOString().slice(0, 16)
  const question = questionOf(query)
  return useQuery({
    queryKey: ['explorer', ref, 'decide', question, query.at === undefined ? minute : 'then'],
    queryFn: ({ signal }) => client.explorer.decide(question ?? { door: '' }, { signal }),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function questionOf({ door, user, number, credential, at, direction }: ExplorerQuery): AccessQuestion | undefined {
  if (door === undefined) return undefined
  const about = { door, direction, ...(at === undefined ? {} : { at }) }
  if (credential !== undefined) return { ...about, credential }
  if (user !== undefined) return { ...about, user }
  return number === undefined ? undefined : { ...about, number }
}

/** The users that a door recently denied. Each entry checks whether the current rules would open it. */
function RecentRefusals({ change }: Pick<ReturnType<typeof useExplorerQuery>, 'change'>) {
  const { data } = useList(
    events,
    { filter: { type: 'access.denied', user: { exists: true } }, size: most },
    { isEnabled: useCan('view', 'Access Events') },
  )
  if (!data || data.items.length === 0) return null
  return (
    <section className={refusals.refusals} aria-label={text('explorer.refusals')}>
      <h3>{text('explorer.refusals')}</h3>
      <ul>
        {data.items.map(({ _id, user, door, direction, occurredAt, reason, data: { names } }) => (
          <li key={_id}>
            <button
              type="button"
              onClick={() =>
                change({ user: user ?? undefined, door: door ?? undefined, direction: direction ?? undefined })
              }
            >
              <b>{names.user}</b>
              <span>{names.door}</span>
              <span>{reason && text(`reason.${reason}`)}</span>
              <span>
                <Time at={occurredAt} zone={names.timeZone} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
