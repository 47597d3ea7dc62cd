-- Units: what the gateway keeps about each controller, the commands to doors, and requests for access.

-- One-time codes with which a unit introduces its key.
create table unit_enrolment (
  unit_enrolment_code_hash bytea primary key,
  unit_enrolment_unit uuid not null references unit (unit_id) on delete cascade,
  unit_enrolment_expires_at timestamptz not null,
  unit_enrolment_used_at timestamptz
);

create table unit_secret (
  unit_secret_unit uuid primary key references unit (unit_id) on delete cascade,
  unit_secret_public_key bytea not null,
  unit_secret_secret bytea not null
);

-- The configurations compiled for a unit.
create table unit_config (
  unit_config_unit uuid not null references unit (unit_id) on delete cascade,
  unit_config_version int not null,
  unit_config_policy_version bigint not null,
  unit_config_hash text not null,
  unit_config_body bytea not null,
  unit_config_made_at timestamptz not null default now(),
  primary key (unit_config_unit, unit_config_version)
);

-- How far each log of a unit is stored: its acknowledged sequence.
create table unit_mark (
  unit_mark_unit uuid not null references unit (unit_id) on delete cascade,
  unit_mark_log uuid not null,
  unit_mark_seq bigint not null,
  primary key (unit_mark_unit, unit_mark_log)
);
grant select, insert, update, delete on unit_enrolment, unit_secret, unit_config, unit_mark to portcullis_system;

-- Something a unit is asked to do once, within a time to live.
create table unit_command (
  unit_command_id uuid primary key,
  unit_command_account int not null references account (account_key),
  unit_command_unit uuid not null references unit (unit_id) on delete cascade,
  unit_command_door uuid not null references door (door_id) on delete cascade,
  unit_command_unit_door int not null,
  unit_command_action text not null check (unit_command_action in ('unlockOnce')),
  unit_command_status text not null default 'requested'
    check (unit_command_status in ('requested', 'sent', 'confirmed', 'refused', 'expired', 'not_delivered')),
  unit_command_detail text,
  unit_command_requested_by uuid,
  unit_command_requested_at timestamptz not null default now(),
  unit_command_expires_at timestamptz not null,
  unit_command_sent_at timestamptz,
  unit_command_ended_at timestamptz
);
create index unit_command_open on unit_command (unit_command_unit, unit_command_expires_at)
  where unit_command_status in ('requested', 'sent');
select guard_by_account('unit_command', 'select');

-- A request for access, which is decided once or expires, and shows what became of the unlock that was granted. Names are those
-- at the time of the request: the task outlives the user and the door.
create table task (
  task_id uuid primary key,
  task_account int not null references account (account_key),
  task_type text not null check (task_type in ('RemoteAuthRequest')),
  task_status text not null check (task_status in ('Requested', 'Granted', 'Denied', 'Expired')),
  task_user uuid not null,
  task_user_name text not null,
  task_door uuid not null,
  task_door_name text not null,
  task_site_name text not null,
  task_created_at timestamptz not null default now(),
  task_data jsonb not null,
  task_expires_at timestamptz not null default now() + interval '60 seconds',
  -- How the door was wired at the time of the request.
  task_unit uuid,
  task_unit_door int,
  task_decided_by uuid,
  task_decided_by_name text,
  task_decided_at timestamptz,
  -- The unlock, if it was granted, and what became of it.
  task_command uuid,
  task_delivery text check (task_delivery in ('waiting', 'sent', 'opened', 'not_delivered')),
  task_delivery_detail text,
  task_sent_at timestamptz,
  task_opened_at timestamptz,
  -- Only if a controller made the request for a user at its reader: the controller's own number, and when it was answered.
  task_unit_request uuid,
  task_answered_at timestamptz
);
create index task_newest on task (task_account, task_created_at desc, task_id desc);
create index task_in_time on task (task_created_at desc, task_id desc, task_account desc);
create index task_by_status on task (task_account, task_status, task_created_at desc);
create index task_waiting on task (task_expires_at) where task_status = 'Requested';
create unique index task_of_command on task (task_command) where task_command is not null;
create unique index task_of_unit_request on task (task_unit, task_unit_request) where task_unit_request is not null;
select guard_by_account('task', 'select');
select announce_moves('task', 'tasks', false);

create function task_follows_command() returns trigger language plpgsql as $$
begin
  with followed as (
    update task
       set task_delivery = case new.unit_command_status
             when 'requested' then 'waiting' when 'sent' then 'sent' when 'confirmed' then 'opened'
             else 'not_delivered' end,
           task_delivery_detail = new.unit_command_detail,
           task_sent_at = new.unit_command_sent_at,
           task_opened_at = case new.unit_command_status when 'confirmed' then new.unit_command_ended_at end
     where task_command = new.unit_command_id
    returning task_account, task_id)
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select task_account, 'tasks', task_id, 'save', false from followed;
  return null;
end $$;
create trigger task_follows_command after update of unit_command_status on unit_command for each row
  when (old.unit_command_status <> new.unit_command_status) execute function task_follows_command();
comment on trigger task_follows_command on unit_command is
  'Derived: a request shows the delivery of its command, whichever of gateway, job and call changed that.';
