import { Tooltip } from '@mantine/core'
import type { AccessRule } from '@portcullis/contract/calls/explorer'
import { Link } from '@tanstack/react-router'
import { StateTag } from '../ui/state-tag.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './access-cells.module.css'
import { type AccessRow, hasRuleFor, linesOf, openingOf, ruleHours, stateOf } from './access-row-words.ts'

type Props = { row: AccessRow; now: string; zone: string | null }

/** Now and until when, later and from when, or why not; a line for each direction where they differ. */
export function WhenCell({ row, now, zone }: Props) {
  return linesOf(row).map(({ direction, span }) => {
    const way = direction && <small className={styles.direction}>{text(`explorer.way.${direction}`)}</small>
    if (!hasRuleFor(row, direction)) {
      return (
        <span key={direction} className={styles.when}>
          {way}
          <small>{text('explorer.noRule')}</small>
        </span>
      )
    }
    const { state, word, more } = stateOf(row, { span, now })
    const opening = span && openingOf(span, { now, zone })
    return (
      <span key={direction ?? 'both'} className={styles.when}>
        {way}
        <StateTag state={state}>{word}</StateTag>
        {opening && (
          <Tooltip label={opening.atSite} multiline>
            <small>{opening.words}</small>
          </Tooltip>
        )}
        {more && <small>{more}</small>}
      </span>
    )
  })
}

const mostRules = 2

/** The rules that name both, with their hours and through what they do. */
export function RulesCell({ rules, now, isHere }: { rules: readonly AccessRule[]; now: string; isHere: boolean }) {
  const others = rules.length - mostRules
  return (
    <>
      {rules.slice(0, mostRules).map((rule, index) => (
        <div key={rule._id ?? `${index}`} className={styles.rule}>
          <RuleName rule={rule} isHere={isHere} />
          {rule.effect === 'deny' && <b className={styles.deny}>{text('explorer.denies')}</b>}
          <small>{about(rule, now)}</small>
        </div>
      ))}
      {others > 0 && <span className="second">{text('explorer.andRules', { count: others })}</span>}
    </>
  )
}

/** `Mon to Fri 06:00 to 18:00, In only, through Warehouse` */
function about(rule: AccessRule, now: string) {
  const { direction, who } = rule
  const through =
    who.kind === 'User Group' && text('explorer.through', { who: who.name ?? text('explorer.groupAbove') })
  const only = direction !== 'both' && text(`explorer.only.${direction}`)
  return [ruleHours(rule, { now }), only, through].filter((words) => words !== false).join(', ')
}

/** A rule of an account above has no name here, and one of another account no screen. */
function RuleName({ rule: { _id, name }, isHere }: { rule: AccessRule; isHere: boolean }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/rules/list`
  if (_id === null) return <span className="soft">{text('explorer.ruleAbove')}</span>
  if (!isHere) return <bdi>{name}</bdi>
  return (
    <Link to={to} search={{ open: _id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
