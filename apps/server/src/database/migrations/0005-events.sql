-- Events, how many there are, and the reports that gather them.

-- What happened at doors, on controllers and in the console; never changed afterwards. Partitions are added month by month
-- (months.ts); the default partition takes whatever has no month. Event types, reasons and so on come from the contract.
create table event (
  event_id uuid not null,
  event_account int not null,
  event_type text not null check (event_type in (
    'access.granted', 'access.denied', 'access.remote_requested', 'access.remote_granted', 'access.remote_denied',
    'access.remote_expired',
    'door.opened', 'door.closed', 'door.forced', 'door.held', 'door.restored', 'door.exit_requested', 'door.unlocked_once',
    'door.mode_changed',
    'unit.enrolled', 'unit.online', 'unit.offline', 'unit.power_on', 'unit.clock_wrong', 'unit.sync_started', 'unit.sync_ok',
    'unit.sync_failed', 'unit.log_gap', 'unit.unreadable_record', 'unit.refused',
    'administration.signed_in', 'administration.sign_in_failed', 'administration.second_factor_on',
    'administration.second_factor_off', 'administration.second_factor_reset', 'administration.recovery_codes_renewed',
    'administration.recovery_code_used', 'administration.password_changed', 'administration.password_reset',
    'administration.email_changed', 'administration.exported', 'administration.recertified')),
  event_category text not null check (event_category in ('access', 'door', 'unit', 'administration')),
  event_severity text not null check (event_severity in ('info', 'notice', 'warning', 'alarm')),
  event_site uuid,
  event_door uuid,
  event_unit uuid,
  event_user uuid,
  event_credential uuid,
  event_direction text check (event_direction in ('entry', 'exit')),
  event_outcome text check (event_outcome in ('granted', 'denied')),
  event_reason text check (event_reason in (
    'door_unknown', 'door_disabled', 'unit_out_of_service', 'door_locked_down', 'door_blocked', 'credential_unknown',
    'credential_unassigned', 'credential_suspended', 'credential_lost', 'credential_stolen', 'credential_revoked',
    'not_yet_valid', 'expired', 'holder_inactive', 'recertification_overdue', 'denied_by_rule', 'no_access',
    'outside_schedule', 'holiday_closed', 'adhoc_not_started', 'adhoc_ended', 'interlock', 'antipassback',
    'first_person_absent', 'pin_required', 'pin_invalid', 'pin_locked', 'remote_approval_required', 'remote_denied',
    'remote_timeout', 'remote_unavailable', 'unit_out_of_step')),
  -- Documents of events are written once, never searched, and read whole: json is passed on as it was stored, where jsonb
  -- would be formatted again for every page.
  event_reasons json not null default '[]',
  event_occurred_at timestamptz not null,
  event_received_at timestamptz not null default now(),
  event_backfilled boolean not null default false,
  event_policy_version bigint,
  -- The unit's log and the number within it.
  event_log uuid,
  event_seq bigint,
  event_data json not null default '{}',
  primary key (event_id, event_occurred_at)
) partition by range (event_occurred_at);
create table event_default partition of event default;
create index event_newest on event (event_account, event_occurred_at desc, event_id desc);
create index event_at_door on event (event_account, event_door, event_type, event_occurred_at desc);
create index event_of_user on event (event_account, event_user, event_occurred_at desc);
create index event_by_outcome on event (event_account, event_outcome, event_occurred_at desc);
-- The newest events of a tree to which most events belong. The account is part of the index, so that events of other accounts
-- are skipped without being read.
create index event_in_time on event (event_occurred_at desc, event_id desc, event_account desc);
select guard_by_account('event', 'select');

-- Records a recertification as an event, in the transaction that makes it. `portcullis_web` writes no other events, and this
-- one only in an account that the transaction sees.
create function tell_recertified(id uuid, account int, person uuid, data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into event (event_id, event_account, event_type, event_category, event_severity, event_user, event_occurred_at,
                     event_data)
    select id, membership_account, 'administration.recertified', 'administration', 'info', membership_user, now(), data
      from membership
     where membership_user = person and membership_account = account
       and account = any (nullif(current_setting('app.accounts', true), '')::int[])
$$;
grant create on schema public to portcullis_system;
alter function tell_recertified owner to portcullis_system;
revoke create on schema public from portcullis_system;
revoke execute on function tell_recertified from public;
grant execute on function tell_recertified to portcullis_web;

-- How many events there are, without counting them (decision 0036) ------------------------------------------------------

-- Every transaction that stores events adds their counts here; a job folds them into the totals. Totals, deltas and the
-- events of the hours in which a question begins and ends give the exact number at every moment, for one account or many, by
-- door, by type, for any time.
create table event_delta (
  event_delta_account int not null,
  event_delta_door uuid,
  event_delta_type text not null,
  event_delta_hour timestamptz not null,
  event_delta_count int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index event_delta_of_account on event_delta (event_delta_account, event_delta_hour);
select guard_by_account('event_delta', 'select');

-- Without a door: all events, those at no door included. Without a type: all types. Without a day: all time. Days and hours
-- are in UTC. Totals over all doors keep their 24 hours: an account can have half a million events a day, while the events of
-- one door in a day are few enough to be counted.
create table event_total (
  event_total_account int not null,
  event_total_door uuid,
  event_total_type text,
  event_total_day date,
  event_total_count bigint not null,
  event_total_hours int[],
  constraint event_total_once unique nulls not distinct
    (event_total_account, event_total_door, event_total_type, event_total_day)
) with (fillfactor = 80);
select guard_by_account('event_total', 'select');

create function events_counted() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'DELETE' then
    insert into event_delta
      select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), count(*)
        from came group by 1, 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into event_delta
      select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), -count(*)
        from went group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create trigger events_came after insert on event referencing new table as came
  for each statement execute function events_counted();
comment on trigger events_came on event is
  'Derived: counts, from which totals are exact at every commit.';
create trigger events_went after delete on event referencing old table as went
  for each statement execute function events_counted();
comment on trigger events_went on event is
  'Derived: counts, from which totals are exact at every commit.';
create trigger events_changed after update on event referencing old table as went new table as came
  for each statement execute function events_counted();
comment on trigger events_changed on event is
  'Derived: counts, from which totals are exact at every commit.';

-- The counts of 24 hours from those of the hours in which something happened.
create function hour_counts(hours int[], counts bigint[]) returns int[] language sql immutable strict as $$
  select array_agg(coalesce(count, 0)::int order by hour)
    from generate_series(0, 23) hour left join unnest(hours, counts) counted (hour, count) using (hour)
$$;
create function hour_sums(one int[], other int[]) returns int[] language sql immutable strict as $$
  select array_agg(a + b order by place) from unnest(one, other) with ordinality counted (a, b, place)
$$;

-- Folds at most this many deltas into the totals and returns how many there were. Several jobs may fold at once: each takes
-- deltas that no other has taken, and totals are written in one order.
create function fold_event_deltas(most int) returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
  folded bigint;
begin
  with taken as (
    delete from event_delta where ctid = any (array(select ctid from event_delta limit most for update skip locked))
    returning *
  ), hourly as (
    select event_delta_account as account, event_delta_door as door, event_delta_type as type, event_delta_hour as hour,
           sum(event_delta_count)::bigint as change
      from taken
     group by event_delta_account, event_delta_hour,
              grouping sets ((event_delta_door, event_delta_type), (event_delta_door), (event_delta_type), ())
    -- What happened at no door is in the totals of all doors.
    having grouping(event_delta_door) = 1 or event_delta_door is not null
  ), summed as (
    select account, door, type, (hour at time zone 'UTC')::date as day, sum(change) as change,
           case when door is null then hour_counts(
             array_agg(extract(hour from hour at time zone 'UTC')::int), array_agg(change)) end as hours
      from hourly group by account, door, type, day
    union all
    select account, door, type, null, sum(change), null from hourly group by account, door, type
  ), written as (
    insert into event_total select * from summed order by account, door, type, day
      on conflict on constraint event_total_once
      do update set event_total_count = event_total.event_total_count + excluded.event_total_count,
                    event_total_hours = hour_sums(event_total.event_total_hours, excluded.event_total_hours)
  )
  select count(*) into folded from taken;
  return folded;
end $$;

-- Drops the events of a month, given by its first moment in UTC, and takes them out of the totals.
create function drop_event_month(month timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  following timestamptz := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  owner name := current_user;
begin
  -- No other transaction may count or store events meanwhile; dropping a partition takes this lock anyway.
  lock table event in access exclusive mode;
  set local role portcullis_system;
  loop
    exit when fold_event_deltas(100000) = 0;
  end loop;
  with gone as (
    delete from event_total
     where event_total_day >= (month at time zone 'UTC')::date and event_total_day < (following at time zone 'UTC')::date
    returning *
  ), summed as (
    select event_total_account as account, event_total_door as door, event_total_type as type,
           sum(event_total_count) as count
      from gone group by 1, 2, 3
  )
  update event_total set event_total_count = event_total_count - summed.count from summed
   where event_total_account = summed.account and event_total_door is not distinct from summed.door
     and event_total_type is not distinct from summed.type and event_total_day is null;
  execute format('set local role %I', owner);
  execute format('drop table %I', 'event_' || to_char(month at time zone 'UTC', 'YYYY_MM'));
end $$;
revoke execute on function fold_event_deltas, drop_event_month from public;
grant execute on function fold_event_deltas to portcullis_system;

-- An incident report: a filter over events, kept under a name.
create table report (
  report_id uuid primary key,
  report_account int not null references account (account_key),
  report_version int not null default 1,
  report_created_at timestamptz not null default now(),
  report_updated_at timestamptz not null default now(),
  report_name text not null,
  report_filter jsonb not null
);
create index report_by_account on report (report_account, report_id);
select guard_by_account('report');
