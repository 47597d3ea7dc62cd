import type pg from 'pg'
import { hoursOfDay, weekdays } from './estate.ts'

type StoreDaysInput = { visits: number; events: number; days: number; now: Date; report: (sentence: string) => void }

const dayMs = 86_400_000
/**
 * Stores the events of the last days, made from the visits, in one transaction. Each month goes into a new table that
 * replaces the empty partition. Its indexes are built when it is full, which takes a third of the time.
 */
export async function storeDays(owner: pg.Client, { visits, events, days, now, report }: StoreDaysInput) {
  const dates = Array.from({ length: days + 1 }, (_, ago) => new Date(midnight(now) - ago * dayMs)).reverse()
  const eventsOfVisit = await meanEvents(owner)
  const whole = dates.reduce((sum, date) => sum + weightOf(date) * passedOf(date, now), 0)
  await owner.query(`begin; set local synchronous_commit = off; set local maintenance_work_mem = '512MB'`)
  await owner.query(hourTable, [hoursOfDay])
  let stored = 0
  for (const [month, inMonth] of Map.groupBy(dates, (date) => date.toISOString().slice(0, 7))) {
    const partition = `event_${month.replace('-', '_')}`
    await owner.query(
      `drop table if exists ${partition}; create table ${partition} (like event including defaults including constraints)`,
    )
    for (const date of inMonth) {
      const share = (events * weightOf(date)) / whole / eventsOfVisit / visits
      stored += await storeDay(owner, { partition, date, share, now })
      report(`  ${date.toISOString().slice(0, 10)}: ${stored.toLocaleString('en')} events`)
    }
    const [from, until] = [`${month}-01`, monthAfter(month)]
    await owner.query(`alter table event attach partition ${partition} for values from ('${from}') to ('${until}')`)
    report(`  ${month}: indexed`)
  }
  await owner.query('commit')
  return stored
}

/** One event for the decision and two for the door; after a denial the door stays closed. */
async function meanEvents(owner: pg.Client) {
  const { rows } = await owner.query<{ mean: number }>(
    `select avg(case visit_outcome when 'granted' then 3 else 1 end)::float8 as mean from visit`,
  )
  return rows[0]?.mean ?? 1
}

const hourTable = `create temporary table hour_of_day on commit drop as
  select array_agg(hour - 1) as hours from unnest($1::int[]) with ordinality as known (share, hour), generate_series(1, share)`

type Day = { partition: string; date: Date; share: number; now: Date }

/** With few visits, one visit may take place several times a day. */
async function storeDay(owner: pg.Client, { partition, date, share, now }: Day) {
  const repeats = Math.max(1, Math.ceil(share))
  const { rowCount } = await owner.query(
    `insert into ${partition} (event_id, event_account, event_type, event_category, event_severity, event_site, event_door,
       event_unit, event_user, event_credential, event_direction, event_outcome, event_reason, event_reasons,
       event_occurred_at, event_received_at, event_policy_version, event_data)
     select gen_random_uuid(), visit_account, type, category, severity, visit_site, visit_door, visit_unit,
            case when is_access then visit_user end, case when is_access then visit_credential end,
            case when is_access then 'entry' end, case when is_access then visit_outcome end,
            case when is_access then visit_reason end, case when is_access then visit_reasons else '[]' end,
            moment + later, moment + later + interval '70 milliseconds', visit_version,
            case when is_access then visit_data else visit_door_data end
       from (select visit.*, $1::timestamptz + make_interval(secs =>
                      mod((hours[1 + floor(random() * cardinality(hours))::int] - visit_ahead_hours + 24) * 3600
                          + floor(random() * 3600000)::int / 1000.0, 86390)::float8) as moment
               from visit cross join generate_series(1, $3::int) cross join hour_of_day
              where random() < $2::float8) visiting
       cross join lateral (values
         ('access.' || visit_outcome, 'access', visit_severity, interval '0', true),
         ('door.opened', 'door', 'info', interval '1.2 seconds', false),
         ('door.closed', 'door', 'info', interval '4.9 seconds', false)) step (type, category, severity, later, is_access)
      where (is_access or visit_outcome = 'granted') and moment < $4::timestamptz - interval '1 minute'`,
    [date.toISOString(), share / repeats, repeats, now.toISOString()],
  )
  return rowCount ?? 0
}

function weightOf(date: Date) {
  return weekdays[(date.getUTCDay() + 6) % 7] ?? 1
}

/** The part of today that has passed: no event lies in the future. */
function passedOf(date: Date, now: Date) {
  return Math.min(1, (now.getTime() - date.getTime()) / dayMs)
}

function midnight(now: Date) {
  return Math.floor(now.getTime() / dayMs) * dayMs
}

function monthAfter(month: string) {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
}
