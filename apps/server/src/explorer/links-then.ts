import type { GroupList } from '@portcullis/domain/decision/policy-index'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { afterwards } from '../history/items-as-of.ts'

/** A change of a membership since the moment in question. */
const change = z.object({ joined: z.boolean(), at: z.iso.datetime(), position: z.number() })

const row = z.object({
  group: z.uuid(),
  field: z.string(),
  kind: z.string(),
  member: z.uuid(),
  account: z.int(),
  isMember: z.boolean(),
  since: z.array(change),
})

/** A user, a door or a site that is or once was a member of a group. */
export type Membership = {
  readonly list: GroupList
  readonly group: string
  readonly member: string
  /** The key of the group's account. */
  readonly account: number
  readonly wasMember: boolean
  readonly isMember: boolean
  /** Newest first. */
  readonly since: readonly z.output<typeof change>[]
}

type MembershipsInput = { members: readonly string[]; door: string; at: string }

/**
 * The groups of which these are or ever were members, whether they were at a moment, and what has changed since. Of the
 * door's interlocking groups all members.
 */
export async function membershipsThen(tx: Transaction, { members, door, at }: MembershipsInput): Promise<Membership[]> {
  const isRelated = (
    owner: Sql,
    field: Sql,
    target: Sql,
  ) => sql`${target} = any(${members}::uuid[]) and ${field} in ('members', 'doors')
    or ${field} = 'doors' and ${owner} = any(array(select owner from interlocks))`
  const rows = await tx.rows(
    row,
    prepared(sql`with interlocks as materialized (
          select link_owner as owner from link where link_target = ${door} and link_field = 'doors'
          union select link_history_owner from link_history
           where link_history_target = ${door} and link_history_field = 'doors'),
        related as (
          select link_owner as owner, link_field as field, link_kind as kind, link_target as target,
                 link_account as account, null::timestamptz as at, null as action, null::bigint as position
            from link where ${isRelated(sql`link_owner`, sql`link_field`, sql`link_target`)}
          union all
          select link_history_owner, link_history_field, link_history_kind, link_history_target, link_history_account,
                 link_history_at, link_history_action, link_history_position
            from link_history
           where ${isRelated(sql`link_history_owner`, sql`link_history_field`, sql`link_history_target`)})
      select owner as group, field, kind, target as member, max(account) as account, bool_or(at is null) as "isMember",
             coalesce(json_agg(json_build_object('joined', action = 'added', 'at',
                 to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'position', position)
               order by at desc) filter (where at >= ${afterwards(at)}), '[]') as since
        from related group by owner, field, kind, target`),
  )
  return rows.flatMap(({ field, kind, since, ...related }) => {
    const list = listOf({ field, kind })
    const first = since.at(-1)
    return list ? [{ ...related, list, since, wasMember: first ? !first.joined : related.isMember }] : []
  })
}

function listOf({ field, kind }: { field: string; kind: string }): GroupList | undefined {
  if (field === 'doors') return 'interlockingGroups'
  return listsByMembers.get(kind)
}

const listsByMembers = new Map<string, GroupList>([
  ['users', 'userGroups'],
  ['doors', 'doorGroups'],
  ['sites', 'siteGroups'],
])

type RulesInput = { who: readonly string[]; where: readonly string[]; accounts: readonly number[] }

/** The rules of these accounts that name one of each, or ever did. */
export async function rulesEverNaming(tx: Transaction, { who, where, accounts }: RulesInput): Promise<string[]> {
  const naming = (field: string, targets: readonly string[]) => sql`
    select link_owner from link
     where link_target = any(${targets}::uuid[]) and link_field = ${field} and link_account = any(${accounts}::int[])
    union
    select link_history_owner from link_history
     where link_history_target = any(${targets}::uuid[]) and link_history_field = ${field}
       and link_history_account = any(${accounts}::int[])`
  const rows = await tx.rows(
    z.object({ id: z.uuid() }),
    prepared(sql`select id from ((${naming('who', who)}) intersect (${naming('where', where)})) as naming (id)`),
  )
  return rows.map(({ id }) => id)
}
