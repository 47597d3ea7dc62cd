-- Places: sites, the controllers and doors at them, and their groups. The code says unit where the console says controller.

create table site (
  site_id uuid primary key,
  site_account int not null references account (account_key),
  site_version int not null default 1,
  site_created_at timestamptz not null default now(),
  site_updated_at timestamptz not null default now(),
  site_name text not null,
  site_time_zone text not null,
  site_address text,
  site_location jsonb,
  site_calendars jsonb not null default '[]'
);
create index site_by_account on site (site_account, site_id);
select guard_by_account('site');

create table unit (
  unit_id uuid primary key,
  unit_account int not null references account (account_key),
  unit_version int not null default 1,
  unit_created_at timestamptz not null default now(),
  unit_updated_at timestamptz not null default now(),
  unit_name text not null,
  unit_serial text not null,
  unit_site uuid references site (site_id),
  unit_model text,
  unit_in_service boolean not null default true,
  unit_driver text not null default 'portcullis' check (unit_driver in ('portcullis')),
  unit_enrolled_at timestamptz,
  constraint unit_serial_taken unique (unit_account, unit_serial)
);
create index unit_by_account on unit (unit_account, unit_id);
create index unit_by_site on unit (unit_site);
select guard_by_account('unit');

-- The running state of a unit: no version, no history, written by `portcullis_system` alone.
create table unit_state (
  unit_state_id uuid primary key references unit (unit_id) on delete cascade,
  unit_state_account int not null,
  unit_state_status text not null default 'never_seen' check (unit_state_status in ('never_seen', 'online', 'offline')),
  unit_state_last_heartbeat_at timestamptz,
  unit_state_firmware text,
  unit_state_address text,
  unit_state_desired_version int,
  unit_state_applied_version int,
  unit_state_applied_at timestamptz,
  unit_state_rejection text,
  unit_state_clock_offset_ms int,
  -- What it can hold, as it reported when it last connected, and what its desired configuration takes of that.
  unit_state_capacity jsonb,
  unit_state_config_size jsonb,
  unit_state_pending_events int,
  -- How long the latest live event took to arrive.
  unit_state_event_delay_ms int,
  -- How far the events are stored that it kept during an outage.
  unit_state_backfilled_up_to timestamptz,
  -- The server that has its one live connection.
  unit_state_lease_holder uuid,
  unit_state_lease_until timestamptz
);
select guard_by_account('unit_state', 'select, insert');

create table door (
  door_id uuid primary key,
  door_account int not null references account (account_key),
  door_version int not null default 1,
  door_created_at timestamptz not null default now(),
  door_updated_at timestamptz not null default now(),
  door_name text not null,
  door_site uuid not null references site (site_id),
  door_unit uuid references unit (unit_id),
  -- The number of the door on its unit.
  door_unit_door int,
  door_enabled boolean not null default true,
  door_relock_after_seconds int not null,
  door_held_open_after_seconds int not null,
  door_directions jsonb not null,
  door_requires_remote_auth boolean not null default false,
  -- The desired mode, which overrides the schedule until its end.
  door_mode text not null default 'normal' check (door_mode in ('normal', 'unlocked', 'blocked', 'lockdown')),
  door_mode_until timestamptz,
  door_mode_version int not null default 0,
  door_mode_set_at timestamptz,
  constraint door_unit_door_taken unique (door_unit, door_unit_door)
);
create index door_by_account on door (door_account, door_id);
create index door_by_site on door (door_site);
-- Doors whose mode has to be sent to their unit.
create index door_with_mode on door (door_unit) where door_mode_version > 0;
select guard_by_account('door');

-- The running state of a door, like that of a unit.
create table door_state (
  door_state_id uuid primary key references door (door_id) on delete cascade,
  door_state_account int not null,
  door_state_state text not null default 'unknown'
    check (door_state_state in ('unknown', 'closed', 'open', 'held', 'forced')),
  door_state_state_at timestamptz,
  -- The mode that the controller has confirmed.
  door_state_applied_mode_version int not null default 0,
  door_state_mode_sent_at timestamptz,
  door_state_mode_applied_at timestamptz
);
select guard_by_account('door_state', 'select, insert');

create function unit_has_state() returns trigger language plpgsql as $$
begin
  insert into unit_state (unit_state_id, unit_state_account) values (new.unit_id, new.unit_account);
  return null;
end $$;
create trigger unit_has_state after insert on unit for each row execute function unit_has_state();
comment on trigger unit_has_state on unit is
  'Derived: every unit has a state.';

create function door_has_state() returns trigger language plpgsql as $$
begin
  insert into door_state (door_state_id, door_state_account) values (new.door_id, new.door_account);
  return null;
end $$;
create trigger door_has_state after insert on door for each row execute function door_has_state();
comment on trigger door_has_state on door is
  'Derived: every door has a state.';

-- A state belongs to the account of its door or unit, so that users see both or neither. Runs as the role that may update
-- states, on behalf of the user who moves the item.
create function state_moved_along() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('update %1$I set %2$I = $1 where %3$I = $2',
    tg_table_name || '_state', tg_table_name || '_state_account', tg_table_name || '_state_id')
    using (to_jsonb(new) ->> (tg_table_name || '_account'))::int, (to_jsonb(new) ->> (tg_table_name || '_id'))::uuid;
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function state_moved_along owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger door_state_moved_along after update of door_account on door for each row
  when (old.door_account <> new.door_account) execute function state_moved_along();
comment on trigger door_state_moved_along on door is
  'Derived: a copy of the account, which row level security reads; portcullis_web cannot write states.';
create trigger unit_state_moved_along after update of unit_account on unit for each row
  when (old.unit_account <> new.unit_account) execute function state_moved_along();
comment on trigger unit_state_moved_along on unit is
  'Derived: a copy of the account, which row level security reads; portcullis_web cannot write states.';

create table door_group (
  door_group_id uuid primary key,
  door_group_account int not null references account (account_key),
  door_group_version int not null default 1,
  door_group_created_at timestamptz not null default now(),
  door_group_updated_at timestamptz not null default now(),
  door_group_name text not null
);
create index door_group_by_account on door_group (door_group_account, door_group_id);
select guard_by_account('door_group');

create table site_group (
  site_group_id uuid primary key,
  site_group_account int not null references account (account_key),
  site_group_version int not null default 1,
  site_group_created_at timestamptz not null default now(),
  site_group_updated_at timestamptz not null default now(),
  site_group_name text not null
);
create index site_group_by_account on site_group (site_group_account, site_group_id);
select guard_by_account('site_group');

-- Doors of one unit of which only one may be open.
create table interlocking_group (
  interlocking_group_id uuid primary key,
  interlocking_group_account int not null references account (account_key),
  interlocking_group_version int not null default 1,
  interlocking_group_created_at timestamptz not null default now(),
  interlocking_group_updated_at timestamptz not null default now(),
  interlocking_group_name text not null
);
create index interlocking_group_by_account on interlocking_group (interlocking_group_account, interlocking_group_id);
select guard_by_account('interlocking_group');
