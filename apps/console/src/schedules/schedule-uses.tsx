import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { sites } from '@portcullis/contract/collections/sites'
import { Link } from '@tanstack/react-router'
import { NamesOf } from '../item/names-of.tsx'
import { useList } from '../item/use-list.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import styles from './schedule-uses.module.css'

type Rule = EntityOf<typeof rules>

const shown = 5

/** The first rules of the account that use a schedule, and their number. */
export function useRulesOf(schedule: string) {
  const isEnabled = useCan('view', rules.subject)
  return useList(rules, { filter: { schedule }, size: shown, sort: { prop: 'name', dir: 'asc' } }, { isEnabled })
}

/** The doors that stand unlocked by a schedule. */
export function useDoorsOf(schedule: string) {
  const isEnabled = useCan('view', doors.subject)
  const filter = { unlockSchedule: schedule }
  return useList(doors, { filter, size: shown, sort: { prop: 'name', dir: 'asc' } }, { isEnabled })
}

/** The rules that use a schedule, with their doors and sites, and the doors that it unlocks. */
export function ScheduleUses({ schedule }: { schedule: string }) {
  const { data, error, refetch } = useRulesOf(schedule)
  const unlocked = useDoorsOf(schedule)
  const { ref } = useAccount()
  const seesRules = useCan('view', rules.subject)
  const to: string = `/${ref}/rules/list`
  if (!seesRules) return null
  return (
    <section aria-labelledby="schedule-uses">
      <h3 id="schedule-uses">{text('schedules.usedBy')}</h3>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.page.totalElements === 0 && unlocked.data?.page.totalElements === 0 && (
        <p className="soft">{text('schedules.unused')}</p>
      )}
      <ul className={styles.rules}>
        {data?.items.map((rule) => (
          <li key={rule._id}>
            <Link to={to} search={{ open: rule._id }}>
              <bdi>{rule.name}</bdi>
            </Link>
            <Places rule={rule} />
          </li>
        ))}
      </ul>
      {data && data.page.totalElements > shown && (
        <Link to={to} search={{ schedule }}>
          {text('schedules.allRules', { count: data.page.totalElements })}
        </Link>
      )}
      {unlocked.data && unlocked.data.items.length > 0 && (
        <div>
          {text('schedules.unlocks', { count: unlocked.data.page.totalElements })}{' '}
          <NamesOf of={doors} ids={unlocked.data.items.map(({ _id }) => _id)} />
        </div>
      )}
    </section>
  )
}

/** The doors and sites that a rule names; groups are behind its link. */
function Places({ rule: { where } }: { rule: Rule }) {
  const idsOf = (kind: Rule['where'][number]['kind']) => where.filter((each) => each.kind === kind).map(({ id }) => id)
  const [doorIds, siteIds] = [idsOf('Door'), idsOf('Site')]
  return (
    <span className={styles.places}>
      {doorIds.length > 0 && <NamesOf of={doors} ids={doorIds} />}
      {siteIds.length > 0 && <NamesOf of={sites} ids={siteIds} />}
    </span>
  )
}
