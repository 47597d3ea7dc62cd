import type { DueChoice, RecertifyableSort } from '@portcullis/contract/calls/recertification'
import { dayMs } from '@portcullis/domain/time/zone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { contains } from '../query/filter.ts'
import type { Period } from './periods.ts'

export type Due = { due: DueChoice; days: number; search: string }
export type DueSelection = { periods: readonly Period[]; query: Due; now: number }

/** The start of a membership's period; must match the index `membership_to_recertify`. */
const since = sql`(case when membership_last_recertified_at is not null then membership_last_recertified_at
  when membership_valid_from is not null then membership_valid_from else '-infinity' end)`

type Page = DueSelection & { query: Due & { page: number; size: number }; sort: RecertifyableSort }

/**
 * A page of the users to recertify, each as one JSON text, in the requested order. Each account is read by index, at
 * most to the end of the page, and the first rows of all accounts form the page.
 */
export function selectDue({ periods, query, now, sort }: Page): Sql {
  const { page, size } = query
  const offset = page * size
  const byName = sort.prop === 'name'
  const direction = raw(sort.dir)
  const key = byName ? sql`person_name` : sql`${since} + make_interval(hours => period.days * 24)`
  const near = byName ? sql`person_name` : since
  return sql`select row_to_json(shown)::text from (
      select membership_user as _id, due.id as account,
             person_name as name, ${email} as email, person_img as img, membership_title as title,
             membership_role as role, due.days as "recertifyEveryDays",
             ${isoOf(sql`membership_valid_from`)} as "validFrom", ${isoOf(sql`membership_valid_until`)} as "validUntil",
             ${isoOf(sql`membership_last_recertified_at`)} as "lastRecertifiedAt",
             (select coalesce(json_agg(json_build_object('_id', user_group_id, 'name', user_group_name)
                                       order by user_group_name), '[]')
                from link join user_group on user_group_id = link_owner
               where link_target = membership_user and link_field = 'members' and link_account = membership_account) as groups
        from (
          select found.* from ${periodsIn({ periods, query, now })} cross join lateral (
            select membership_user as person, membership_account as account, period.id, period.days,
                   ${key} as key
              from ${tables({ search: query.search, isByName: byName ? 'yes' : 'no' })}
             where ${conditionOf({ query, now })}
             order by ${near} ${direction}, membership_user ${direction} ${raw(`limit ${offset + size}`)}) found
           order by key ${direction}, person ${direction}, account ${direction} ${raw(`limit ${size} offset ${offset}`)}
        ) due
        join membership on membership_user = due.person and membership_account = due.account
        join person on person_id = membership_user
       order by due.key ${direction}, due.person ${direction}, due.account ${direction}
    ) shown`
}

/** The number of users to recertify, up to a limit. */
export function selectCountOfDue({ periods, query, now, most }: DueSelection & { most: number }): Sql {
  return sql`select least(count(*), ${most}::int), count(*) <= ${most}::int from (
      select from ${periodsIn({ periods, query, now })} cross join lateral (
        select from ${tables({ search: query.search, isByName: 'no' })} where ${conditionOf({ query, now })}) found
       limit ${most + 1}) counted`
}

/** The accounts, each with the latest start of a period that is due there. */
function periodsIn({ periods, query, now }: DueSelection): Sql {
  const accounts = periods.map(({ account }) => account)
  const ids = periods.map(({ accountId }) => accountId)
  const days = periods.map((period) => period.days)
  const latest = periods.map((period) => latestSince({ days: period.days, query, now }))
  return sql`unnest(${accounts}::int[], ${ids}::uuid[], ${days}::int[], ${latest}::timestamptz[])
    period (account, id, days, latest)`
}

function latestSince({ days, query, now }: { days: number; query: Due; now: number }) {
  if (query.due === 'all') return 'infinity'
  const until = query.due === 'soon' ? now + query.days * dayMs : now
  return new Date(until - days * dayMs).toISOString()
}

/** Joins users only if their names are needed. */
function tables({ search, isByName }: { search: string; isByName: 'yes' | 'no' }): Sql {
  const people = sql`membership join person on person_id = membership_user`
  return search === '' && isByName === 'no' ? sql`membership` : people
}

/** Suspended and expired memberships have no access to confirm. */
function conditionOf({ query, now }: { query: Due; now: number }): Sql {
  const conditions = [
    sql`membership_account = period.account and membership_status = 'active' and ${since} <= period.latest`,
    sql`(membership_valid_until is null or membership_valid_until > ${new Date(now).toISOString()}::timestamptz)`,
  ]
  const part = contains(query.search)
  if (query.search !== '') {
    conditions.push(sql`(person_name ilike ${part} or ${email} ilike ${part} or membership_title ilike ${part})`)
  }
  return join(conditions, ' and ')
}

/** As the list of users shows it, whether or not the user signs in with it. */
const email = sql`coalesce(person_email, person_claimed_email)`

function isoOf(moment: Sql): Sql {
  return sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
