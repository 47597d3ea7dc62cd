import { Button } from '@mantine/core'
import { findingKinds, type RuleReview } from '@portcullis/contract/calls/review-rules'
import { rules } from '@portcullis/contract/collections/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { collectionKey } from '../item/keys.ts'
import { ruleTabs } from '../navigation/rule-tabs.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { Finding } from './review-findings.tsx'
import styles from './review.module.css'
import { RuleInAddress } from './rule-in-address.tsx'

/** Findings about the rules, and the users without access, each with a fix. */
export function ReviewScreen() {
  const { ref } = useAccount()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...collectionKey(rules, ref), 'review'],
    queryFn: ({ signal }) => client.rules.review({ signal }),
  })
  const readAgain = () => void refetch()
  const again = (
    <Button variant="default" loading={isFetching} onClick={readAgain}>
      {text('review.again')}
    </Button>
  )
  return (
    <Screen
      title={text('review.title')}
      beside={<ScreenTabs label={text('rules.title')} tabs={ruleTabs} />}
      actions={data && again}
    >
      {error && !data && <ErrorNotice error={error} onRetry={readAgain} />}
      {!error && !data && <SkeletonRows />}
      {data && <Results of={data} onFixed={readAgain} />}
      <RuleInAddress onClose={readAgain} />
    </Screen>
  )
}

type ResultsProps = { of: RuleReview; onFixed: () => void }

function Results({ of: { findings, moreFindings, users, isWhole }, onFixed }: ResultsProps) {
  const isClean = isWhole && findings.length === 0 && users.total === 0
  if (isClean) return <EmptyNotice title={text('review.nothing')} hint={text('review.nothingHint')} />
  return (
    <>
      {!isWhole && <p className={styles.partial}>{text('review.partial')}</p>}
      {findingKinds
        .map((kind) => ({ kind, found: findings.filter((each) => each.kind === kind) }))
        .filter(({ found }) => found.length > 0)
        .map(({ kind, found }) => (
          <section key={kind} className={styles.section} aria-labelledby={`review-${kind}`}>
            <h2 id={`review-${kind}`}>{text(`review.kinds.${kind}`)}</h2>
            <ul className={styles.list}>
              {found.map((finding) => (
                <Finding key={`${finding.rule._id} ${finding.other?._id}`} finding={finding} onFixed={onFixed} />
              ))}
            </ul>
          </section>
        ))}
      {moreFindings > 0 && <p className={styles.partial}>{text('review.moreFindings', { count: moreFindings })}</p>}
      {users.total > 0 && <UsersWithoutAccess of={users} />}
    </>
  )
}

function UsersWithoutAccess({ of: { total, items } }: { of: RuleReview['users'] }) {
  const { ref } = useAccount()
  const canManage = useCan('manage', 'Access Control')
  const explorer: string = `/${ref}/rules/explorer`
  const usersList: string = `/${ref}/users/list`
  return (
    <section className={styles.section} aria-labelledby="review-users">
      <h2 id="review-users">{text('review.users')}</h2>
      <p className="soft">{text('review.usersHint', { count: total })}</p>
      <ul className={styles.list}>
        {items.map(({ _id, name }) => (
          <li key={_id}>
            <Link className={`${styles.about} ${styles.name}`} to={usersList} search={{ open: _id }}>
              <bdi>{name}</bdi>
            </Link>
            <span className={styles.fix}>
              {canManage && (
                <Link
                  to="."
                  search={{ open: 'new', user: _id }}
                  resetScroll={false}
                  aria-label={text('review.giveAccessTo', { name })}
                >
                  {text('review.giveAccess')}
                </Link>
              )}
              <Link to={explorer} search={{ ask: 'user', user: _id }} aria-label={text('review.exploreOf', { name })}>
                {text('review.explore')}
              </Link>
            </span>
          </li>
        ))}
        {total > items.length && <li className="soft">{text('form.andMore', { count: total - items.length })}</li>}
      </ul>
    </section>
  )
}
