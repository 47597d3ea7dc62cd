import { Skeleton } from '@mantine/core'
import type { AccessRow, RuleOfRow } from '@portcullis/contract/calls/access-views'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount, useCan } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { momentText } from '../time/time-text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import styles from './access-rows.module.css'
import { type RowKind, useAccessRow } from './use-access-row.ts'

type Props = { kind: RowKind; id: string }

/** The rules that name a user or a door, with what they name on the other side. */
export function RulesCell({ kind, id }: Props) {
  return (
    <Loaded kind={kind} id={id}>
      {({ rules, moreRules }) => (
        <>
          {rules.length === 0 && (
            <span className="soft">{text(kind === 'user' ? 'accessRows.noRule' : 'accessRows.noRuleHere')}</span>
          )}
          {rules.map((rule, at) => (
            <div key={rule._id ?? `${at}`} className={styles.rule}>
              <RuleName rule={rule} />{' '}
              {rule.effect === 'deny' && <b className={styles.deny}>{text('explorer.denies')}</b>}{' '}
              <small>{aboutRule(rule, kind)}</small>
            </div>
          ))}
          {moreRules > 0 && <span className="second">{text('explorer.andRules', { count: moreRules })}</span>}
        </>
      )}
    </Loaded>
  )
}

/** How many doors a user can open now, or how many users can open a door; it opens the explorer. */
export function OpenNowCell({ kind, id, name }: Props & { name: string }) {
  return (
    <Loaded kind={kind} id={id}>
      {({ openNow }) => (
        <ExplorerLink kind={kind} id={id} name={name}>
          {openNow === null
            ? text('accessRows.tooMany')
            : text(kind === 'user' ? 'accessRows.doors' : 'accessRows.users', { count: openNow })}
        </ExplorerLink>
      )}
    </Loaded>
  )
}

/** Opens the form of a rule with this user or door. */
export function AddAccess({ kind, id, name }: Props & { name: string }) {
  if (!useCan('manage', 'Access Control')) return null
  return (
    <Link
      to="."
      search={(current: Record<string, string | undefined>) => ({ ...current, open: 'new', [kind]: id })}
      resetScroll={false}
      className={styles.link}
      aria-label={text('accessRows.addToName', { name })}
    >
      {text('accessRows.addTo')}
    </Link>
  )
}

function ExplorerLink({ kind, id, name, children }: Props & { name: string; children: ReactNode }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/rules/explorer`
  return (
    <Link
      to={to}
      search={{ ask: kind, [kind]: id, accessCan: 'now' }}
      className={styles.link}
      title={text('accessRows.exploreName', { name })}
    >
      {children}
    </Link>
  )
}

function Loaded({ kind, id, children }: Props & { children: (row: AccessRow) => ReactNode }) {
  const { data, isError } = useAccessRow(kind, id)
  if (isError || data === null) return <StateTag state="unknown" />
  return data ? children(data) : <Skeleton height={12} width="60%" />
}

/** A rule of an account above has no name here. */
function RuleName({ rule: { _id, name } }: { rule: RuleOfRow }) {
  if (_id === null) return <span className="soft">{text('explorer.ruleAbove')}</span>
  return (
    <Link
      to="."
      search={(current: Record<string, string | undefined>) => ({ ...current, open: _id })}
      resetScroll={false}
    >
      <bdi>{name}</bdi>
    </Link>
  )
}

/** `Cold Store and 2 more, Day shift, In only, through Warehouse` */
function aboutRule({ who, where, more, schedule, direction, adhoc }: RuleOfRow, kind: RowKind) {
  const [named, via] = kind === 'user' ? [where, who] : [who, where]
  const isDirect = via === null || via.kind === 'User' || via.kind === 'Door'
  return listOf(
    [
      named && namesOf(named.name ?? text('accessRows.hidden'), more),
      ...whenOf({ schedule, adhoc }),
      direction !== 'both' && text(`rules.directions.${direction}`),
      !isDirect && text('explorer.through', { who: via.name ?? text('explorer.groupAbove') }),
    ].filter((words) => typeof words === 'string'),
  )
}

/** The schedule, and the end of temporary access; neither of them: at all times. */
function whenOf({ schedule, adhoc }: Pick<RuleOfRow, 'schedule' | 'adhoc'>) {
  const until = adhoc ? [text('rules.adhocUntil', { until: momentText(adhoc.until, new Date()) })] : []
  if (schedule) return [schedule.name ?? text('rules.hidden'), ...until]
  return adhoc ? until : [text('accessRows.always')]
}

function namesOf(name: string, more: number) {
  return more === 0 ? name : text('rules.more', { name, count: more })
}
