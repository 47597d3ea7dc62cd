import type pg from 'pg'

/** Counts what was stored past the triggers, and says how doors and controllers stand now. */
export async function storeTotals(owner: pg.Client) {
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

/** Controllers that are rows only are shown as they were at the last start. */
export async function refreshUnits(owner: pg.Client, virtualModel: string) {
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
