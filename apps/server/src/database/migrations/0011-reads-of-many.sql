-- How many events there are, without counting them: whoever stores events adds what they change to the deltas, in the same
-- transaction; a job folds deltas into totals. Totals, deltas and the events of the hours that a question cuts through give
-- the exact number at every moment, for one account or many, for doors, for types, for any time.

create table event_delta (
  event_delta_account int not null,
  event_delta_door uuid,
  event_delta_type text not null,
  event_delta_hour timestamptz not null,
  event_delta_count int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index event_delta_of_account on event_delta (event_delta_account, event_delta_hour);

-- A total without door is of all doors and of what happened at none, one without type of all types, one without day of all
-- time. Days and hours are UTC's. Totals of all doors have their hours apart: an account may have half a million events a
-- day, a door has few enough to be counted where a question cuts through its day.
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

do $$
declare
  scoped text;
begin
  foreach scoped in array array['event_delta', 'event_total'] loop
    execute format('alter table %I enable row level security', scoped);
    execute format('alter table %I force row level security', scoped);
    execute format(
      'create policy %I on %I for select to portcullis_web using (%I = any ((select nullif(current_setting(''app.accounts'', true), '''')::int[])::int[]))',
      scoped || '_in_sight', scoped, scoped || '_account');
    execute format('create policy %I on %I to portcullis_system using (true) with check (true)', scoped || '_system', scoped);
    execute format('grant select on %I to portcullis_web', scoped);
    execute format('grant select, insert, update, delete on %I to portcullis_system', scoped);
  end loop;
end $$;

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
create trigger events_went after delete on event referencing old table as went
  for each statement execute function events_counted();
create trigger events_changed after update on event referencing old table as went new table as came
  for each statement execute function events_counted();

-- Twenty-four counts from those of the hours in which there was something, and the sum of two such lists.
create function hour_counts(hours int[], counts bigint[]) returns int[] language sql immutable strict as $$
  select array_agg(coalesce(count, 0)::int order by hour)
    from generate_series(0, 23) hour left join unnest(hours, counts) counted (hour, count) using (hour)
$$;
create function hour_sums(one int[], other int[]) returns int[] language sql immutable strict as $$
  select array_agg(a + b order by place) from unnest(one, other) with ordinality counted (a, b, place)
$$;

-- Folds so many deltas into totals and answers how many there were. Several may fold at the same time: each takes what the
-- others have not, and totals are written in one order.
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

-- Gives up the events of a month, which began at this moment in UTC, with all that counted them.
create function drop_event_month(month timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  following timestamptz := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  owner name := current_user;
begin
  -- Nobody may count or store meanwhile; dropping a partition takes this lock anyway.
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

-- Events that were there before are counted once.
set local role portcullis_system;
insert into event_delta
  select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), count(*)
    from event group by 1, 2, 3, 4;
select fold_event_deltas(2147483647);
reset role;

-- The newest items of an account tree that most of them belong to. The account is part of it, so that those of others are
-- passed over without being looked at.
create index event_in_time on event (event_occurred_at desc, event_id desc, event_account desc);
create index history_in_time on history (history_at desc, history_id desc, history_account desc);
create index task_in_time on task (task_created_at desc, task_id desc, task_account desc);
