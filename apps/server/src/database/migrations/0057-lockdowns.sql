-- Lockdown plans, and the lockdowns that were started from them.

create table lockdown_plan (
  lockdown_plan_id uuid primary key,
  lockdown_plan_account int not null references account (account_key),
  lockdown_plan_version int not null default 1,
  lockdown_plan_created_at timestamptz not null default now(),
  lockdown_plan_updated_at timestamptz not null default now(),
  lockdown_plan_name text not null,
  -- Null: until a user ends the lockdown.
  lockdown_plan_ends_after_minutes int,
  lockdown_plan_note text
);
create index lockdown_plan_by_account on lockdown_plan (lockdown_plan_account, lockdown_plan_id);
select guard_by_account('lockdown_plan');
select announce_moves('lockdown_plan', 'lockdownPlans', false);

-- The plan may be changed or deleted meanwhile.
create table lockdown (
  lockdown_id uuid primary key,
  lockdown_account int not null references account (account_key),
  lockdown_plan uuid not null,
  lockdown_name text not null,
  lockdown_started_at timestamptz not null default now(),
  lockdown_started_by uuid not null,
  lockdown_started_by_name text not null,
  lockdown_ends_at timestamptz,
  lockdown_ended_at timestamptz,
  -- Null if it ended by time.
  lockdown_ended_by uuid,
  lockdown_ended_by_name text
);
create unique index lockdown_of_plan on lockdown (lockdown_plan) where lockdown_ended_at is null;
create index lockdown_running on lockdown (lockdown_ends_at) where lockdown_ended_at is null;
create index lockdown_newest on lockdown (lockdown_account, lockdown_started_at desc, lockdown_id desc);
create index lockdown_in_time on lockdown (lockdown_started_at desc, lockdown_id desc, lockdown_account desc);
select guard_by_account('lockdown', 'select, insert, update');
select announce_moves('lockdown', 'lockdowns', false);

alter table door
  -- The active lockdowns that name the door: while there is one, its mode is lockdown.
  add column door_lockdowns jsonb not null default '[]',
  -- The mode to which the door returns after the last of them.
  add column door_mode_after_lockdown jsonb;
create index door_by_lockdown on door using gin (door_lockdowns jsonb_path_ops);

-- The next version of a policy, or null while another transaction holds it: a lockdown waits for none.
create function free_policy_version(root int) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from policy where policy_root = root for update skip locked;
  if not found then
    return null;
  end if;
  return next_policy_version(root);
end $$;
revoke execute on function free_policy_version from public;
grant execute on function free_policy_version to portcullis_web, portcullis_system;
grant create on schema public to portcullis_system;
alter function free_policy_version owner to portcullis_system;
revoke create on schema public from portcullis_system;
