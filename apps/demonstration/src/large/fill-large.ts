import { mkdir } from 'node:fs/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '@portcullis/server/database/database'
import type { CredentialNumbers } from '@portcullis/server/numbers/credential-numbers'
import { loadPolicy } from '@portcullis/server/policy/load-policy'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential, Door } from '@portcullis/domain/policy'
import type { EventRow } from '@portcullis/server/ingest/event-row'
import { listsOf } from '../policy-lists.ts'
import { homeOfControllers } from '../live/virtual-controllers.ts'
import { accountKeys } from '../world/account-keys.ts'
import { titlesOf } from '../past/titles-of.ts'
import { type Random, seededRandom } from '../random.ts'
import { emptyInstallation, moveBeginning } from '../world/beginning.ts'
import { countsOf } from '../world/counts.ts'
import { virtualModel } from '../world/places.ts'
import { writeWorld } from '../world/write-world.ts'
import { estate, regions } from './estate.ts'
import { storeDays } from './store-days.ts'
import { type Sizes, describeLargeWorld } from './describe-large-world.ts'
import { eventDescriber } from '../past/describe-events.ts'

type FillLargeOptions = {
  database: Database
  databaseUrl: string
  dataDir: string
  numbers: CredentialNumbers
  sizes: Sizes
  now: Date
  report: (sentence: string) => void
}

const days = 30
const seed = 20_262

/**
 * Fills an empty installation with an estate of these sizes; an interrupted run continues. Returns
 * whether the estate exists afterwards: false if the installation holds other data.
 */
export async function fillLarge(parts: FillLargeOptions): Promise<boolean> {
  const { database, databaseUrl, report } = parts
  await fillWorld(parts)
  const found = await estateIn(database)
  if (!found) return false
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    if (!found.hasEvents) await fillEvents(owner, { ...parts, root: found.root })
    else report('The estate already exists.')
    await refreshUnits(owner, virtualModel)
  } finally {
    await owner.end()
  }
  return true
}

function fillWorld({ database, dataDir, sizes, now, report }: FillLargeOptions) {
  const seconds = stopwatch()
  return database.asSystem(async (tx) => {
    const empty = await emptyInstallation(tx, estate.ref)
    if (!empty) return
    const random = seededRandom(seed)
    const chronicle = describeLargeWorld({ ...empty, sizes, now, random })
    await writeWorld(tx, { chronicle, root: empty.root, random })
    await moveBeginning(tx, { ...empty, chronicle })
    await mkdir(homeOfControllers(dataDir), { recursive: true, mode: 0o700 })
    report(`Estate: ${countsOf(chronicle, 'controllers')} (${seconds()} s).`)
  })
}

const foundRow = z.object({ root: z.int(), hasEvents: z.boolean() })

function estateIn(database: Database) {
  return database.asSystem((tx) =>
    tx.first(
      foundRow,
      sql`select account_key as root, exists (select from event where event_category = 'door') as "hasEvents"
            from account where account_ref = ${estate.ref} and exists (select from site)`,
    ),
  )
}

async function fillEvents(
  owner: pg.Client,
  { database, numbers, sizes, now, report, root }: FillLargeOptions & { root: number },
) {
  const seconds = stopwatch()
  const { index } = await loadPolicy((work) => database.asSystem(work), root, numbers)
  const names = await database.asSystem(async (tx) => ({ accounts: await accountKeys(tx), titles: await titlesOf(tx) }))
  await owner.query('analyze')
  const described = visits({ index, ...names, at: now.getTime(), random: seededRandom(seed) })
  const count = await storeVisits(owner, described)
  report(`Visits: ${count.toLocaleString('en')} people at doors, decided (${seconds()} s).`)
  const events = await storeDays(owner, { visits: count, events: sizes.events, days, now, report })
  report(`Events: ${events.toLocaleString('en')} (${seconds()} s).`)
  await storeTotals(owner)
  await owner.query('analyze')
  report(`Totals (${seconds()} s).`)
}

/** Seconds since the previous call. */
function stopwatch() {
  let since = performance.now()
  return () => {
    const passed = (performance.now() - since) / 1_000
    since = performance.now()
    return passed.toFixed(1)
  }
}

const batch = 2_000

/** Stores the visits in a table that exists until the connection ends. Returns their number. */
async function storeVisits(owner: pg.Client, visits: Iterable<Visit>) {
  await owner.query(
    `create temporary table visit (visit_account int, visit_severity text, visit_site uuid, visit_door uuid, visit_unit uuid,
       visit_user uuid, visit_credential uuid, visit_outcome text, visit_reason text, visit_reasons jsonb, visit_version bigint,
       visit_data jsonb, visit_door_data jsonb, visit_ahead_hours int)`,
  )
  let count = 0
  let waiting: Visit[] = []
  let storing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    count += waiting.length
    const text = JSON.stringify(waiting)
    waiting = []
    await storing
    storing = owner.query(insertion, [text])
  }
  for (const visit of visits) {
    waiting.push(visit)
    if (waiting.length >= batch) await flush()
  }
  await flush()
  await storing
  await owner.query('analyze visit')
  return count
}

const insertion = `insert into visit
  select account, severity, site, door, unit, "user", credential, outcome, reason, reasons, "policyVersion", data,
         jsonb_build_object('names', (data->'names') - array['user', 'title']), "aheadHours"
    from jsonb_to_recordset($1::jsonb) as visit (account int, severity text, site uuid, door uuid, unit uuid, "user" uuid,
      credential uuid, outcome text, reason text, reasons jsonb, "policyVersion" bigint, data jsonb, "aheadHours" int)`

/** Counts the events that were stored without triggers, and sets the current states of doors and controllers. */
async function storeTotals(owner: pg.Client) {
  await owner.query(`begin; set local role portcullis_system; set local work_mem = '256MB'`)
  await owner.query(
    `insert into event_delta
       select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), count(*)
         from event group by 1, 2, 3, 4`,
  )
  await owner.query('select fold_event_deltas(2147483647)')
  await owner.query(
    `update door_state set door_state_state_at = now() - random() * interval '50 minutes', door_state_state =
       case when luck < 0.002 then 'held' when luck < 0.003 then 'forced' when luck < 0.02 then 'open' else 'closed' end
       from (select door_id as door, random() as luck from door) as lucky where door = door_state_id`,
  )
  await owner.query('commit')
}

/** Controllers that are only rows keep the state of the last start. */
async function refreshUnits(owner: pg.Client, virtualModel: string) {
  await owner.query('begin; set local role portcullis_system')
  await owner.query(
    `update unit_state set unit_state_status = status, unit_state_firmware = '4.2.1', unit_state_desired_version = 1,
       unit_state_applied_version = 1, unit_state_last_heartbeat_at = case status when 'online' then now()
         else coalesce(unit_state_last_heartbeat_at, now() - interval '3 hours') end
       from (select unit_id as unit, case when hashtext(unit_serial) % 40 = 0 then 'offline' else 'online' end as status
               from unit where unit_model is distinct from $1) as known where unit = unit_state_id`,
    [virtualModel],
  )
  await owner.query('commit')
}

type DoorsOfUserInput = {
  index: PolicyIndex
  accounts: ReadonlyMap<string, number>
  titles: ReadonlyMap<string, string | null>
  at: number
  random: Random
}

/** A visit to a door, decided once; the events of all days are made from these. */
type Visit = EventRow & { aheadHours: number }

const doorsOfUser = 3
const refusedShare = 0.022

/** The doors that each user uses, and sometimes a door that denies them. */
function* visits({ index, accounts, titles, at, random }: DoorsOfUserInput): Generator<Visit> {
  const policies = { at: () => ({ from: 0, version: index.version, index }) }
  const describer = eventDescriber({ policies, accounts, titles, outages: [], random })
  const doorsOfSite = Map.groupBy(listsOf(index).doors, ({ site }) => site)
  const siteOfUser = sitesOfUsers(index)
  const sites = [...doorsOfSite.keys()]
  for (const credential of listsOf(index).credentials) {
    const site = siteOfUser.get(credential.user ?? '')
    const own = site === undefined ? [] : (doorsOfSite.get(site) ?? [])
    const used = credential.status === 'active' ? [own[0], random.pick(own), random.pick(own)] : [own[0]]
    for (const door of used.slice(0, doorsOfUser)) yield* visit(door, credential)
    if (random.chance(refusedShare * doorsOfUser))
      yield* visit(random.pick(doorsOfSite.get(random.pick(sites) ?? '') ?? []), credential)
  }

  function* visit(door: Door | undefined, { number }: Credential): Generator<Visit> {
    if (!door || door.unit === null || door.unitDoor === null) return
    const { unit, unitDoor } = door
    const zone = index.sites.get(door.site)?.timeZone
    const aheadHours = regions.find(({ timeZone }) => timeZone === zone)?.aheadHours ?? 0
    yield { ...describer.access({ unit, unitDoor, number, direction: 'entry', at }), aheadHours }
  }
}

/** The site at which each user works: the site in the rule for their group. */
function sitesOfUsers(index: PolicyIndex) {
  const policy = listsOf(index)
  const siteOfGroup = new Map(
    policy.rules.flatMap(({ who: [group], where: [site] }) => (group && site ? [[group.id, site.id]] : [])),
  )
  return new Map(
    policy.userGroups.flatMap(({ _id, members }) => {
      const site = siteOfGroup.get(_id)
      return site === undefined ? [] : members.map((member) => [member, site] as const)
    }),
  )
}
