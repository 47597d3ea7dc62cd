import type { RuleDirection, RuleEffect, Window } from '@portcullis/domain/policy'
import { momentText } from '../time/time-text.ts'
import { useMinute } from '../time/use-minute.ts'
import styles from './rule-sentence.module.css'
import type { Subject } from '../subjects/rule-subjects.ts'
import { ruleSummary } from './rule-summary.ts'
import { useSubjects } from '../subjects/use-subjects.ts'

type RuleSentenceProps = {
  who: readonly Subject[]
  where: readonly Subject[]
  effect: RuleEffect
  direction: RuleDirection
  adhoc: { from: string; until: string } | null
  windows: readonly Window[] | undefined
}

/** A rule as a sentence. */
export function RuleSentence({ rule }: { rule: RuleSentenceProps }) {
  const { nameOf } = useSubjects([...rule.who, ...rule.where])
  const names = (subjects: readonly Subject[]) => subjects.map((subject) => nameOf(subject) ?? '…')
  const { adhoc } = rule
  const now = useMinute()
  const sentence = ruleSummary({
    ...rule,
    who: names(rule.who),
    where: names(rule.where),
    adhoc: adhoc ? { from: momentText(adhoc.from, now), until: momentText(adhoc.until, now) } : undefined,
  })
  return (
    <p className={styles.sentence} aria-live="polite">
      {sentence.map((part, index) =>
        typeof part === 'string' ? part : <b key={`${index} ${part.text}`}>{part.text}</b>,
      )}
    </p>
  )
}
