import { Button } from '@mantine/core'
import type { ReviewFinding } from '@portcullis/contract/calls/review-rules'
import { rules } from '@portcullis/contract/collections/rules'
import { Link } from '@tanstack/react-router'
import { DeleteButton } from '../item/delete-button.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { TextWith } from '../ui/text-with.tsx'
import { DisableRule } from './disable-rule.tsx'
import styles from './review.module.css'

type FindingProps = { finding: ReviewFinding; onFixed: () => void }

/** A finding: the rule, why it is listed, and the fix. */
export function Finding({ finding, onFixed }: FindingProps) {
  return (
    <li>
      <div className={styles.about}>
        <p className={styles.name}>
          <RuleLink rule={finding.rule} />
        </p>
        <p className="soft">
          <Sentence finding={finding} />
        </p>
      </div>
      <div className={styles.fix}>
        <Fix finding={finding} onFixed={onFixed} />
      </div>
    </li>
  )
}

type Rule = NonNullable<ReviewFinding['other']>

/** Opens the rule in a drawer above this screen. */
function RuleLink({ rule: { _id, name } }: { rule: Rule }) {
  if (_id === null) return text('review.hiddenRule')
  return (
    <Link to="." search={{ open: _id }} resetScroll={false}>
      <bdi>{name}</bdi>
    </Link>
  )
}

function Sentence({ finding: { kind, reason, other, takes, cardholders } }: Pick<FindingProps, 'finding'>) {
  if (reason !== null) return text(`review.reasons.${reason}`)
  const named = <RuleLink rule={other ?? { _id: null, name: null }} />
  if (kind === 'same') return <TextWith of="review.same" values={{ other: named }} />
  if (takes === null) return <TextWith of="review.contained" values={{ other: named }} />
  const count = text('review.cardholders', { count: cardholders ?? 0 })
  return <TextWith of={`review.denied.${takes}`} values={{ other: named, cardholders: count }} />
}

function Fix({ finding: { rule, other, reason, schedule, takes }, onFixed }: FindingProps) {
  const canManage = useCan('manage', 'Access Control')
  if (reason === 'schedule' && schedule?._id) return <ScheduleLink schedule={schedule._id} />
  if (!canManage) return null
  if (takes === null) return <DeleteButton of={rules} id={rule._id} name={rule.name} onDeleted={onFixed} />
  // A rule that gives nothing can go; of two that give and deny, the user decides.
  return (
    <>
      <DisableRule id={rule._id} name={rule.name} effect="allow" onDisabled={onFixed} />
      {takes === 'some' && other?._id && (
        <DisableRule id={other._id} name={other.name ?? ''} effect="deny" onDisabled={onFixed} />
      )}
    </>
  )
}

function ScheduleLink({ schedule }: { schedule: string }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/rules/schedules`
  return (
    <Button variant="default" size="xs" renderRoot={(props) => <Link {...props} to={to} search={{ open: schedule }} />}>
      {text('review.openSchedule')}
    </Button>
  )
}
