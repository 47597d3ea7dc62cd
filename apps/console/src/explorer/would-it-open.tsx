import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { AnswerPanel } from './answer-panel.tsx'
import { QuestionForm } from './question-form.tsx'
import { RecentRefusals } from './recent-refusals.tsx'
import { useAnswer } from './use-answer.ts'
import type { useAsked } from './use-asked.ts'
import styles from './would-it-open.module.css'

/** Would this card open that door at that time: the question at the left, the answer beside it. */
export function WouldItOpen(props: ReturnType<typeof useAsked>) {
  const { data, error, isError, isPlaceholderData, isLoading, refetch } = useAnswer(props.asked)
  const site = data && { time: data.siteTime, zone: data.door.site.timeZone }
  const errorAt = fieldErrorText(error, 'at')

  function answer() {
    if (isError && errorAt === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />
    if (isLoading) return <SkeletonRows count={6} />
    if (data === undefined || isError) {
      const refusals = <RecentRefusals change={props.change} />
      return <EmptyNotice title={text('explorer.start')} hint={text('explorer.startHint')} action={refusals} />
    }
    return <AnswerPanel answer={data} />
  }

  return (
    <div className={styles.columns}>
      <section className={styles.question} aria-label={text('explorer.question')}>
        <QuestionForm
          key={props.asked.number === undefined ? 'person' : 'number'}
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
