-- A request for remote access has an end, is decided once, and tells what became of the unlock that was granted.
alter table task
  add column task_expires_at timestamptz not null default now() + interval '60 seconds',
  -- How the door was wired when it was asked for.
  add column task_unit uuid,
  add column task_unit_door int,
  add column task_decided_by uuid,
  add column task_decided_by_name text,
  add column task_decided_at timestamptz,
  add column task_command uuid,
  add column task_delivery text,
  add column task_delivery_detail text,
  add column task_sent_at timestamptz,
  add column task_opened_at timestamptz,
  -- Of a request that a controller raised for somebody at its reader: its own number, and when it was told the outcome.
  add column task_unit_request uuid,
  add column task_answered_at timestamptz;

update task set task_expires_at = task_created_at + make_interval(secs => (task_data ->> 'expiresAfterSeconds')::int);

create index task_waiting on task (task_expires_at) where task_status = 'Requested';
create unique index task_of_command on task (task_command) where task_command is not null;
create unique index task_of_unit_request on task (task_unit, task_unit_request) where task_unit_request is not null;

alter table door add column door_requires_remote_auth boolean not null default false;

-- Whatever becomes of a command becomes of the request that it grants, and whoever watches requests hears of it.
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
