import { isAllowed } from '@portcullis/contract/abilities'
import { maxIdsOfFigure, siteStates } from '@portcullis/contract/calls/sites'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import type { FastifyInstance } from 'fastify'
import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { unlockedNow } from '../desired/unlocked-now.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { Policies } from '../policy/policies.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

type SiteStatesOptions = Pick<ServeCall, 'serveProvenCall'> & { database: Database; policies: Policies }

/**
 * The state of the sites of a page, in one round trip that reads only their doors and controllers. The policy in memory
 * has the doors with an unlock schedule; only with some of them a second one reads what their controllers have no room for.
 */
export function registerSiteStates(app: FastifyInstance, { database, policies, serveProvenCall }: SiteStatesOptions) {
  serveProvenCall(app, siteStates, async ({ access, query }) => {
    const seesUnits = isAllowed(access.rules, { action: 'view', subject: units.subject })
    const ids = query.ids.split(',')
    const { index } = await policies.ofAccount(access.account.key)
    const unlocked = await unlockedNow(database, { index, doors: ids.flatMap((id) => index.doorsOfSite.get(id) ?? []) })
    const statement = selectStates({ ids, accounts: access.reads, unlocked: [...unlocked.keys()] })
    const [[[text] = []] = []] = await askAs(database, access, [statement])
    const { sites: found } = siteStates.output.parse(JSON.parse(z.string().parse(text)))
    return { sites: seesUnits ? found : found.map((site) => ({ ...site, units: null, unitIds: null })) }
  })
}

const hasMode = (mode: string) => sql`enabled and is_online and is_applied and mode = ${mode}`

/** What each figure counts, of the rows below. */
const doorFigures: Record<string, Sql> = {
  unknown: sql`enabled and (not is_online or state = 'unknown')`,
  forced: sql`enabled and state = 'forced'`,
  held: sql`enabled and state = 'held'`,
  lockedDown: hasMode('lockdown'),
  blocked: hasMode('blocked'),
  unlocked: hasMode('unlocked'),
  waiting: sql`enabled and not is_applied`,
  disabled: sql`not enabled`,
}
const unitFigures: Record<string, Sql> = {
  notOnline: sql`unit_state_status <> 'online'`,
  outOfSync: sql`unit_state_status = 'online' and unit_state_out_of_sync_since is not null`,
  tampered: sql`unit_state_tampered_since is not null`,
}

/** The numbers of a site's items, and the ids behind each where they are few. */
function countsOf(figures: Record<string, Sql>, { id, total }: { id: Sql; total: Sql }) {
  const named = Object.entries(figures)
  const counts = named.map(([name, is]) => sql`${name}::text, count(*) filter (where ${is})`)
  const ids = named.map(
    ([name, is]) => sql`${name}::text, case when count(*) filter (where ${is}) <= ${maxIdsOfFigure}
      then json_agg(${id} order by ${id}) filter (where ${is}) end`,
  )
  return sql`json_build_object('total', ${total}, ${join(counts)}) as counts,
    json_strip_nulls(json_build_object(${join(ids)})) as ids`
}

type SelectInput = {
  ids: readonly string[]
  accounts: readonly number[]
  /** The doors that their schedules unlock while no user has set another mode. */
  unlocked: readonly string[]
}

function selectStates({ ids, accounts, unlocked }: SelectInput): Sql {
  const isDoorInScope = belongsTo(tableOf(doors), accounts)
  const doorsOfSite = sql`
    select ${countsOf(doorFigures, { id: sql`id`, total: sql`count(*) filter (where enabled)` })}
      from (
        select door_id as id, door_enabled as enabled, coalesce(door_state_state, 'unknown') as state,
               case when is_scheduled then 'unlocked' when door_mode_until <= now() then 'normal' else door_mode end as mode,
               (door_unit is null or door_mode_version = door_state_applied_mode_version)
                 and not (is_scheduled and unit_state_out_of_sync_since is not null) as is_applied,
               coalesce(unit_state_status = 'online', false) as is_online
          from door cross join lateral (
            select door_id = any(${[...unlocked]}::uuid[]) and (door_mode = 'normal' or coalesce(door_mode_until <= now(), false))
                   as is_scheduled) schedule
          left join door_state on door_state_id = door_id
          left join unit_state on unit_state_id = door_unit and ${belongsTo({ account: sql`unit_state_account` }, accounts)}
         where door_site = site_id and ${isDoorInScope}
      ) door`
  const unitsOfSite = sql`
    select ${countsOf(unitFigures, { id: sql`unit_id`, total: sql`count(*)` })}
      from unit join unit_state on unit_state_id = unit_id
     where unit_in_service and ${belongsTo(tableOf(units), accounts)} and unit_id in (
       select at_site.unit_id from unit at_site where at_site.unit_site = site_id
       union select door_unit from door where door_site = site_id and ${isDoorInScope})`
  return prepared(sql`with ${usersInside({ ids, accounts })}
    select json_build_object('sites', coalesce(json_agg(
        json_build_object('_id', site_id, 'doors', of_doors.counts, 'doorIds', of_doors.ids, 'units', of_units.counts,
                          'unitIds', of_units.ids, 'inside', inside_site.users)), '[]'))::text
      from site cross join lateral (${doorsOfSite}) of_doors cross join lateral (${unitsOfSite}) of_units
        left join inside_site on inside_site.site = site_id
     where site_id = any(${[...ids]}::uuid[]) and ${belongsTo(tableOf(sites), accounts)}`)
}

/**
 * The users inside each site that has areas with an exit reader, as `inside_site`. Each area is read once for all sites,
 * and so are the users whom it has forgiven.
 */
function usersInside({ ids, accounts }: Pick<SelectInput, 'ids' | 'accounts'>): Sql {
  return sql`area as materialized (
      select distinct door_site as site, door_group_id as id
        from door join link on link_target = door_id and link_field = 'members' join door_group on door_group_id = link_owner
       where door_site = any(${[...ids]}::uuid[]) and ${belongsTo(tableOf(doors), accounts)}
         and ${belongsTo(tableOf(doorGroups), accounts)} and door_group_anti_passback is not null
         and exists (select from link member join door way_out on way_out.door_id = member.link_target
                      where member.link_owner = door_group_id and member.link_field = 'members'
                        and way_out.door_directions @> '{"exit":true}')),
    of_area as materialized (
      select door_group_id as id, door_group_forgiven_all_at as "allAt", door_group_forgiven_at as "at"
        from door_group where door_group_id in (select id from area)),
    forgiven as materialized (
      select id, passage_user as "user"
        from of_area cross join jsonb_each_text(of_area.at) as each(forgiven_user, forgiven_at)
        join passage on passage_area = id and passage_user = forgiven_user::uuid and passage_at <= forgiven_at::timestamptz),
    present as materialized (
      select id, passage_user as "user" from of_area join passage on passage_area = id
       where coalesce(passage_direction, passage_late_direction) = 'entry' and passage_at > coalesce("allAt", '-infinity')
         -- Hashed once. A join compares each user inside with each who was forgiven.
         and (id, passage_user) not in (select id, "user" from forgiven)),
    areas_of_site as materialized (select site, array_agg(id order by id) as areas from area group by site),
    -- Sites at the same areas have the same users inside.
    inside_areas as materialized (
      select areas, (select count(distinct present.user)::int from present where id = any(areas)) as users
        from (select distinct areas from areas_of_site) distinct_areas),
    inside_site as materialized (select site, users from areas_of_site join inside_areas using (areas))`
}
