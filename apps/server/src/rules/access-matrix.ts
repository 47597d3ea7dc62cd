import { type AccessMatrix, accessMatrix, maxMatrixRules } from '@portcullis/contract/calls/access-matrix'
import type { QueryOf } from '@portcullis/contract/call'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import type { FastifyInstance } from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { readItems } from '../query/read-items.ts'

export function registerAccessMatrix(
  app: FastifyInstance,
  { database, serveCall }: Pick<ServeCall, 'serveCall'> & { database: Database },
) {
  serveCall(app, accessMatrix, ({ access, query }) => matrixOf(database, { access, ...query }))
}

type MatrixInput = QueryOf<typeof accessMatrix> & { access: Access }

/** The rules between user groups and places, with what contains the places. */
function matrixOf(database: Database, { access, groups, places }: MatrixInput): Promise<AccessMatrix> {
  const { reads: accounts, signal } = access
  return database.readInAccounts({ accounts, signal }, async (tx) => {
    const containers = await containersOf(tx, { accounts, places })
    const anywhere = [...places, ...containers.map(({ _id }) => _id)]
    return { ...(await rulesBetween(tx, { accounts, groups, places: anywhere })), containers }
  })
}

type Places = { accounts: readonly number[]; places: readonly string[] }

const container = accessMatrix.output.shape.containers.element

/** The groups and the site of a door, with the groups of that site; the groups of a site. */
function containersOf(tx: Transaction, { accounts, places }: Places) {
  const isOwnLink = sql`link_field = 'members' and link_account = any(${accounts}::int[])`
  const [door, doorGroup, site, siteGroup] = [doors, doorGroups, sites, siteGroups].map((each) =>
    belongsTo(tableOf(each), accounts),
  )
  return tx.rows(
    container,
    sql`with place as (select id from unnest(${places}::uuid[]) place (id)),
          standing as (
            select id as place, door_site as site from place join door on door_id = id where ${door}
            union all select id, site_id from place join site on site_id = id where ${site})
        select id as place, 'Door Group' as kind, door_group_id as _id, door_group_name as name
          from place join link on link_target = id and ${isOwnLink} join door_group on door_group_id = link_owner
         where ${doorGroup}
        union all select place, 'Site', site_id, site_name from standing join site on site_id = site
         where ${site} and place <> site
        union all select place, 'Site Group', site_group_id, site_group_name
          from standing join link on link_target = site and ${isOwnLink} join site_group on site_group_id = link_owner
         where ${siteGroup}
         order by name, _id`,
  )
}

/** Parsing an answer with more users, groups and doors would hold up other requests. */
const maxSubjects = 10_000

async function rulesBetween(tx: Transaction, { accounts, groups, places }: Places & { groups: readonly string[] }) {
  const namedIn = (field: string, ids: readonly string[]): Sql =>
    sql`rule_id in (select link_owner from link where link_target = any(${ids}::uuid[]) and link_field = ${field}
      and link_account = any(${accounts}::int[]))`
  const found = await tx.rows(
    z.object({ id: z.uuid(), isShown: z.boolean() }),
    sql`select rule_id as id, row_number() over named <= ${maxMatrixRules} and sum(subjects) over named <= ${maxSubjects} as "isShown"
          from rule cross join lateral (select count(*) as subjects from link where link_owner = rule_id) counted
         where ${belongsTo(tableOf(rules), accounts)} and ${namedIn('who', groups)} and ${namedIn('where', places)}
        window named as (order by rule_name, rule_id) limit ${maxMatrixRules + 1}`,
  )
  const shown = found.flatMap(({ id, isShown }) => (isShown ? [id] : []))
  const rows = await readItems(tx, {
    collection: rules,
    fields: allFields(rules),
    where: sql`rule_id = any(${shown}::uuid[]) and ${belongsTo(tableOf(rules), accounts)} order by rule_name, rule_id`,
  })
  return {
    rules: rows.map(({ item }) => rules.entitySchema.parse(JSON.parse(item))),
    isWhole: shown.length === found.length,
  }
}
