import type pg from 'pg'

/** The account that holds every twentieth event, and that most requests read. */
export const large = 'region-1'

/** The top accounts of other customers: each tree has its own sequence of policy versions. */
export const otherTrees = Array.from({ length: 8 }, (_, index) => `customer-${index + 1}`)

type Operator = { email: string; hash: string }

/**
 * Accounts below the first one: regions of 25, each with its branches, up to the requested number, and an administrator of
 * them all.
 */
export async function fillAccounts(owner: pg.Client, { count, operator }: { count: number; operator: Operator }) {
  await owner.query(
    `insert into account (account_id, account_ref, account_name, account_parent, account_default_time_zone)
     select uuidv7(), 'region-' || n, 'Region ' || n, account_id, 'UTC'
       from account, generate_series(1, ceil(($1::int - 1) / 25.0)::int) n where account_ref = 'main' order by n`,
    [count],
  )
  await owner.query(
    `insert into account (account_id, account_ref, account_name, account_parent, account_default_time_zone)
     select uuidv7(), 'branch-' || n, 'Branch ' || n, account_id, 'UTC'
       from generate_series(1, $1::int - 1) n
       join account on account_ref = 'region-' || ((n - 1) / 25 + 1) where n % 25 <> 0
      order by n limit $1::int - (select count(*) from account)`,
    [count],
  )
  await owner.query(
    `insert into account (account_id, account_ref, account_name, account_default_time_zone)
     select uuidv7(), ref, ref, 'UTC' from unnest($1::text[]) ref`,
    [otherTrees],
  )
  await owner.query(
    `with operator as (
       insert into person (person_id, person_home, person_name, person_email, person_verified, person_password_hash,
                           person_idle_time)
       select uuidv7(), account_key, 'Operator', $1, true, $2, 86400 from account where account_ref = 'main'
       returning person_id, person_home)
     insert into membership (membership_user, membership_account, membership_role)
     select person_id, account_key, 'admin' from operator, account where account_parent is null`,
    [operator.email, operator.hash],
  )
}

/** Each account has a site, a controller, ten doors and fifty people; the large one has ten times as much. */
export async function fillPlaces(owner: pg.Client) {
  await owner.query(`
    create temporary table share as select account_key as key, case when account_ref = '${large}' then 10 else 1 end as times
      from account;
    insert into site (site_id, site_account, site_name, site_time_zone, site_address)
      select uuidv7(), key, 'Site ' || n, 'Europe/Amsterdam', n || ' Harbour Road'
        from share, generate_series(1, case when times = 10 then 1000 else 1 end) n;
    insert into unit (unit_id, unit_account, unit_name, unit_serial)
      select uuidv7(), key, 'Unit ' || n, 'B-' || key || '-' || n from share, generate_series(1, times) n;
    insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_relock_after_seconds,
                      door_held_open_after_seconds, door_directions)
      select uuidv7(), key, 'Door ' || n, site, units[1 + (n - 1) / 10], 1 + (n - 1) % 10, 5, 60, '{"entry": true, "exit": true}'
        from share, generate_series(1, 10 * times) n,
             lateral (select array_agg(unit_id order by unit_id) as units from unit where unit_account = key) own_units,
             lateral (select site_id as site from site where site_account = key order by site_id limit 1) own_site;
    with people as (
      insert into person (person_id, person_home, person_name)
      select uuidv7(), key, 'Person ' || n from share, generate_series(1, 50 * times) n returning person_id, person_home)
    insert into membership (membership_user, membership_account) select person_id, person_home from people;
    analyze`)
}

const atOnce = 100_000

/**
 * Events of the last days, spread evenly over hours, doors and people; one in eight is denied. Indexes are made when the
 * rows are there (on every month: PostgreSQL reports a partitioned index only on the parent), and the totals
 * folded at once.
 */
export async function fillEvents(owner: pg.Client, { count, days }: { count: number; days: number }) {
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
       from pg_index
      where indrelid = 'event'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  await owner.query(`set maintenance_work_mem = '512MB'; set work_mem = '256MB'`)
  await owner.query(
    `create temporary table place as
       select key, row_number() over (order by times desc, key) - 1 as rank, site, unit,
              array(select door_id from door where door_account = key order by door_id) as doors,
              array(select membership_user from membership where membership_account = key order by membership_user) as users
         from share,
              lateral (select site_id as site from site where site_account = key order by site_id limit 1) own_site,
              lateral (select unit_id as unit from unit where unit_account = key order by unit_id limit 1) own_unit`,
  )
  for (let first = 1; first <= count; first += atOnce) {
    await owner.query(insertEvents, [first, Math.min(count, first + atOnce - 1), count, days])
  }
  for (const { definition } of indexes) await owner.query(definition)
  await owner.query('select fold_event_deltas(2147483647)')
}

/** The total number of events with these card numbers, and the number of days over which they are spread. */
const insertEvents = `
  insert into event (event_id, event_account, event_type, event_category, event_severity, event_site, event_door,
    event_unit, event_user, event_direction, event_outcome, event_reason, event_reasons, event_occurred_at,
    event_received_at, event_policy_version, event_data)
  select uuidv7(at - now()), key, 'access.' || outcome, 'access', case outcome when 'denied' then 'notice' else 'info' end,
         site, door, unit, person, 'entry', outcome, case outcome when 'denied' then 'no_access' end,
         '[{"step": "credential", "outcome": "passed", "facts": {"number": "4711"}}]', at, at, 1,
         json_build_object('number', (10000000 + n)::text, 'unitReason', null, 'names', json_build_object('site', 'Site 1',
           'door', 'Door 1', 'unit', 'Unit 1', 'user', 'Person ' || n % 50, 'timeZone', 'Europe/Amsterdam'))::jsonb
    from generate_series($1::int, $2::int) n cross join
         lateral (select case n / 20 % 8 when 0 then 'denied' else 'granted' end as outcome,
                         now() - n::float8 / $3::int * make_interval(days => $4::int) as at) what
    join place on rank = case n % 20 when 0 then 0 else 1 + n % (select count(*) - 1 from place) end cross join
         lateral (select doors[1 + n / 20 % cardinality(doors)] as door, users[1 + n / 8 % cardinality(users)] as person) whose`
