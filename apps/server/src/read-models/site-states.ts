import { isAllowed } from '@portcullis/contract/abilities'
import { siteStates } from '@portcullis/contract/calls/sites'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import type { FastifyInstance } from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

type SiteStatesOptions = Pick<ServeCall, 'serveProvenCall'> & { database: Database }

/** The state of the sites of a page, in one round trip that reads only their doors and controllers. */
export function registerSiteStates(app: FastifyInstance, { database, serveProvenCall }: SiteStatesOptions) {
  serveProvenCall(app, siteStates, async ({ access, query }) => {
    const seesUnits = isAllowed(access.rules, { action: 'view', subject: units.subject })
    const statement = selectStates({ ids: query.ids.split(','), accounts: access.reads })
    const [[[text] = []] = []] = await askAs(database, access, [statement])
    const { sites: found } = siteStates.output.parse(JSON.parse(z.string().parse(text)))
    return { sites: seesUnits ? found : found.map((site) => ({ ...site, units: null })) }
  })
}

function selectStates({ ids, accounts }: { ids: readonly string[]; accounts: readonly number[] }): Sql {
  const isDoorInScope = belongsTo(tableOf(doors), accounts)
  const hasMode = (mode: string) => sql`is_online and is_applied and mode = ${mode}`
  const doorsOfSite = sql`
    select json_build_object('total', count(*), 'unknown', count(*) filter (where not is_online or state = 'unknown'),
        'forced', count(*) filter (where state = 'forced'), 'held', count(*) filter (where state = 'held'),
        'lockedDown', count(*) filter (where ${hasMode('lockdown')}),
        'blocked', count(*) filter (where ${hasMode('blocked')}),
        'unlocked', count(*) filter (where ${hasMode('unlocked')}),
        'waiting', count(*) filter (where not is_applied)) as doors
      from (
        select coalesce(door_state_state, 'unknown') as state,
               case when door_mode_until <= now() then 'normal' else door_mode end as mode,
               door_unit is null or door_mode_version = door_state_applied_mode_version as is_applied,
               coalesce(unit_state_status = 'online', false) as is_online
          from door left join door_state on door_state_id = door_id
          left join unit_state on unit_state_id = door_unit and ${belongsTo({ account: sql`unit_state_account` }, accounts)}
         where door_site = site_id and door_enabled and ${isDoorInScope}
      ) door`
  const unitsOfSite = sql`
    select json_build_object('total', count(*), 'notOnline', count(*) filter (where unit_state_status <> 'online'),
        'outOfSync', count(*) filter (where unit_state_status = 'online' and unit_state_out_of_sync_since is not null),
        'tampered', count(*) filter (where unit_state_tampered_since is not null)) as units
      from unit join unit_state on unit_state_id = unit_id
     where unit_in_service and ${belongsTo(tableOf(units), accounts)} and unit_id in (
       select at_site.unit_id from unit at_site where at_site.unit_site = site_id
       union select door_unit from door where door_site = site_id and ${isDoorInScope})`
  return prepared(sql`select json_build_object('sites', coalesce(json_agg(
        json_build_object('_id', site_id, 'doors', doors, 'units', units)), '[]'))::text
      from site cross join lateral (${doorsOfSite}) of_doors cross join lateral (${unitsOfSite}) of_units
     where site_id = any(${[...ids]}::uuid[]) and ${belongsTo(tableOf(sites), accounts)}`)
}
