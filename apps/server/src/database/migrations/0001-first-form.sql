-- Two roles own nothing: `portcullis_web` answers people and sees only the accounts set for the transaction;
-- `portcullis_system` serves the units' gateway, the jobs and the sign-in.

-- Accounts: a tree, with its closure for "this account and all below". ------------------------------------------------

create table account (
  account_id uuid primary key,
  account_key int generated always as identity unique,
  account_account int not null,
  account_version int not null default 1,
  account_created_at timestamptz not null default now(),
  account_updated_at timestamptz not null default now(),
  account_ref text not null unique,
  account_name text not null,
  account_parent uuid references account (account_id),
  account_root int not null,
  account_status text not null default 'active',
  account_default_time_zone text not null,
  account_recertify_every_days int,
  account_enforce_mfa boolean not null default false,
  check (account_account = account_key)
);
create index account_by_account on account (account_account, account_id);
create index account_by_parent on account (account_parent);

create table account_closure (
  account_closure_ancestor int not null references account (account_key) on delete cascade,
  account_closure_descendant int not null references account (account_key) on delete cascade,
  account_closure_depth int not null,
  primary key (account_closure_ancestor, account_closure_descendant)
);
create index account_closure_upward on account_closure (account_closure_descendant, account_closure_depth);

-- Order of policy versions is order of commits: the row of the tree is locked by whoever takes the next one.
create table policy (
  policy_root int primary key references account (account_key) on delete cascade,
  policy_version bigint not null
);

-- An account belongs to itself. A new one is in sight of those who see its parent, so the transaction's visible set
-- grows by it.
create function account_enters_tree() returns trigger language plpgsql as $$
declare
  parent_key int;
  visible text := current_setting('app.accounts', true);
begin
  new.account_account := new.account_key;
  if new.account_parent is null then
    new.account_root := new.account_key;
  else
    select account_key, account_root into parent_key, new.account_root
      from account where account_id = new.account_parent;
    if parent_key is null then
      raise exception 'The parent account is not there.' using errcode = 'PC404';
    end if;
  end if;
  if coalesce(visible, '') <> '' then
    perform set_config('app.accounts', (visible::int[] || new.account_key)::text, true);
  end if;
  return new;
end $$;
create trigger account_enters_tree before insert on account for each row execute function account_enters_tree();

create function account_joins_closure() returns trigger language plpgsql as $$
begin
  insert into account_closure values (new.account_key, new.account_key, 0);
  if new.account_parent is null then
    insert into policy values (new.account_key, 1);
  else
    insert into account_closure
      select account_closure_ancestor, new.account_key, account_closure_depth + 1
        from account_closure join account parent on parent.account_key = account_closure_descendant
       where parent.account_id = new.account_parent;
  end if;
  return null;
end $$;
create trigger account_joins_closure after insert on account for each row execute function account_joins_closure();

-- People: a login identity, and a membership in each account that knows them. ----------------------------------------

create table person (
  person_id uuid primary key,
  person_home int not null references account (account_key),
  person_name text not null,
  person_email text unique,
  person_img text,
  person_hyper boolean not null default false,
  person_verified boolean not null default false,
  person_idle_time int not null default 300,
  person_consent jsonb not null default '{}',
  person_password_hash text,
  person_created_at timestamptz not null default now()
);

create table membership (
  membership_user uuid not null references person (person_id),
  membership_account int not null references account (account_key),
  membership_version int not null default 1,
  membership_created_at timestamptz not null default now(),
  membership_updated_at timestamptz not null default now(),
  membership_role text not null default 'appUser',
  membership_status text not null default 'active',
  membership_title text,
  membership_valid_from timestamptz,
  membership_valid_until timestamptz,
  membership_last_recertified_at timestamptz,
  primary key (membership_user, membership_account)
);
create index membership_by_account on membership (membership_account, membership_user);

create view "user" with (security_invoker = true) as
  select person_id as user_id, membership_account as user_account, membership_version as user_version,
         membership_created_at as user_created_at, membership_updated_at as user_updated_at,
         person_name as user_name, person_email as user_email, person_img as user_img, person_hyper as user_hyper,
         person_verified as user_verified, person_idle_time as user_idle_time,
         membership_role as user_role, membership_status as user_status, membership_title as user_title,
         membership_valid_from as user_valid_from, membership_valid_until as user_valid_until,
         membership_last_recertified_at as user_last_recertified_at
    from membership join person on person_id = membership_user;

create function user_created() returns trigger language plpgsql as $$
begin
  insert into person (person_id, person_home, person_name, person_email, person_idle_time)
    values (new.user_id, new.user_account, new.user_name, new.user_email, coalesce(new.user_idle_time, 300));
  insert into membership (membership_user, membership_account, membership_role, membership_status, membership_title,
                          membership_valid_from, membership_valid_until, membership_last_recertified_at)
    values (new.user_id, new.user_account, coalesce(new.user_role, 'appUser'), coalesce(new.user_status, 'active'),
            new.user_title, new.user_valid_from, new.user_valid_until, coalesce(new.user_last_recertified_at, now()));
  return new;
end $$;
create trigger user_created instead of insert on "user" for each row execute function user_created();

-- The identity belongs to its home account; any other account changes only its own membership.
create function user_changed() returns trigger language plpgsql as $$
begin
  if (new.user_name, new.user_email, new.user_idle_time) is distinct from
     (old.user_name, old.user_email, old.user_idle_time) then
    update person set person_name = new.user_name, person_email = new.user_email,
                      person_idle_time = new.user_idle_time
     where person_id = old.user_id and person_home = old.user_account;
    if not found then
      raise exception 'The name, e-mail and idle time are changed in the person''s home account.' using errcode = 'PC422';
    end if;
  end if;
  update membership set membership_version = new.user_version, membership_updated_at = new.user_updated_at,
         membership_role = new.user_role, membership_status = new.user_status, membership_title = new.user_title,
         membership_valid_from = new.user_valid_from, membership_valid_until = new.user_valid_until,
         membership_last_recertified_at = new.user_last_recertified_at
   where membership_user = old.user_id and membership_account = old.user_account
     and membership_version = old.user_version;
  if not found then return null; end if;
  return new;
end $$;
create trigger user_changed instead of update on "user" for each row execute function user_changed();

create function user_removed() returns trigger language plpgsql as $$
begin
  delete from membership where membership_user = old.user_id and membership_account = old.user_account;
  -- Memberships in accounts out of sight keep the identity alive; only the foreign key can tell.
  begin
    delete from person where person_id = old.user_id and person_home = old.user_account;
  exception when foreign_key_violation then null;
  end;
  return old;
end $$;
create trigger user_removed instead of delete on "user" for each row execute function user_removed();

-- Sites, doors, units. ------------------------------------------------------------------------------------------------

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
  unit_driver text not null default 'portcullis',
  unit_enrolled_at timestamptz,
  constraint unit_serial_taken unique (unit_account, unit_serial)
);
create index unit_by_account on unit (unit_account, unit_id);
create index unit_by_site on unit (unit_site);

create table unit_state (
  unit_state_id uuid primary key references unit (unit_id) on delete cascade,
  unit_state_account int not null,
  unit_state_status text not null default 'never_seen',
  unit_state_last_heartbeat_at timestamptz,
  unit_state_firmware text,
  unit_state_address text,
  unit_state_desired_version int,
  unit_state_applied_version int,
  unit_state_applied_at timestamptz,
  unit_state_rejection text,
  unit_state_clock_offset_ms int,
  unit_state_pending_events int,
  unit_state_lease_holder uuid,
  unit_state_lease_until timestamptz
);

create table door (
  door_id uuid primary key,
  door_account int not null references account (account_key),
  door_version int not null default 1,
  door_created_at timestamptz not null default now(),
  door_updated_at timestamptz not null default now(),
  door_name text not null,
  door_site uuid not null references site (site_id),
  door_unit uuid references unit (unit_id),
  door_unit_door int,
  door_enabled boolean not null default true,
  door_relock_after_seconds int not null,
  door_held_open_after_seconds int not null,
  door_directions jsonb not null,
  door_mode text not null default 'normal',
  constraint door_unit_door_taken unique (door_unit, door_unit_door)
);
create index door_by_account on door (door_account, door_id);
create index door_by_site on door (door_site);

create table door_state (
  door_state_id uuid primary key references door (door_id) on delete cascade,
  door_state_account int not null,
  door_state_state text not null default 'unknown',
  door_state_state_at timestamptz
);

create function unit_has_state() returns trigger language plpgsql as $$
begin
  insert into unit_state (unit_state_id, unit_state_account) values (new.unit_id, new.unit_account);
  return null;
end $$;
create trigger unit_has_state after insert on unit for each row execute function unit_has_state();

create function door_has_state() returns trigger language plpgsql as $$
begin
  insert into door_state (door_state_id, door_state_account) values (new.door_id, new.door_account);
  return null;
end $$;
create trigger door_has_state after insert on door for each row execute function door_has_state();

-- What units need of the server, out of people's reach. -----------------------------------------------------------------

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

create table unit_config (
  unit_config_unit uuid not null references unit (unit_id) on delete cascade,
  unit_config_version int not null,
  unit_config_policy_version bigint not null,
  unit_config_hash text not null,
  unit_config_body bytea not null,
  unit_config_made_at timestamptz not null default now(),
  primary key (unit_config_unit, unit_config_version)
);

create table unit_mark (
  unit_mark_unit uuid not null references unit (unit_id) on delete cascade,
  unit_mark_log uuid not null,
  unit_mark_seq bigint not null,
  primary key (unit_mark_unit, unit_mark_log)
);

create table unit_command (
  unit_command_id uuid primary key,
  unit_command_account int not null references account (account_key),
  unit_command_unit uuid not null references unit (unit_id) on delete cascade,
  unit_command_door uuid not null references door (door_id) on delete cascade,
  unit_command_unit_door int not null,
  unit_command_action text not null,
  unit_command_status text not null default 'requested',
  unit_command_detail text,
  unit_command_requested_by uuid,
  unit_command_requested_at timestamptz not null default now(),
  unit_command_expires_at timestamptz not null,
  unit_command_sent_at timestamptz,
  unit_command_ended_at timestamptz
);
create index unit_command_open on unit_command (unit_command_unit, unit_command_expires_at)
  where unit_command_status in ('requested', 'sent');

-- Access: groups, credentials, rules, schedules, holidays. --------------------------------------------------------------

create table user_group (
  user_group_id uuid primary key,
  user_group_account int not null references account (account_key),
  user_group_version int not null default 1,
  user_group_created_at timestamptz not null default now(),
  user_group_updated_at timestamptz not null default now(),
  user_group_name text not null
);
create index user_group_by_account on user_group (user_group_account, user_group_id);

create table door_group (
  door_group_id uuid primary key,
  door_group_account int not null references account (account_key),
  door_group_version int not null default 1,
  door_group_created_at timestamptz not null default now(),
  door_group_updated_at timestamptz not null default now(),
  door_group_name text not null
);
create index door_group_by_account on door_group (door_group_account, door_group_id);

create table site_group (
  site_group_id uuid primary key,
  site_group_account int not null references account (account_key),
  site_group_version int not null default 1,
  site_group_created_at timestamptz not null default now(),
  site_group_updated_at timestamptz not null default now(),
  site_group_name text not null
);
create index site_group_by_account on site_group (site_group_account, site_group_id);

-- Members of groups and subjects of rules: one row each, so that a change of one is a change of one.
create table link (
  link_account int not null references account (account_key),
  link_owner uuid not null,
  link_field text not null,
  link_kind text not null,
  link_target uuid not null,
  primary key (link_owner, link_field, link_kind, link_target)
);
create index link_by_target on link (link_target, link_field);
create index link_by_account on link (link_account);

create table credential (
  credential_id uuid primary key,
  credential_account int not null references account (account_key),
  credential_version int not null default 1,
  credential_created_at timestamptz not null default now(),
  credential_updated_at timestamptz not null default now(),
  credential_kind text not null,
  credential_number text not null,
  credential_user uuid,
  credential_status text not null,
  credential_valid_from timestamptz,
  credential_valid_until timestamptz,
  constraint credential_number_taken unique (credential_account, credential_number),
  foreign key (credential_user, credential_account) references membership (membership_user, membership_account)
);
create index credential_by_account on credential (credential_account, credential_id);
create index credential_by_user on credential (credential_user);

create table schedule (
  schedule_id uuid primary key,
  schedule_account int not null references account (account_key),
  schedule_version int not null default 1,
  schedule_created_at timestamptz not null default now(),
  schedule_updated_at timestamptz not null default now(),
  schedule_name text not null,
  schedule_windows jsonb not null,
  schedule_holiday_hours jsonb not null
);
create index schedule_by_account on schedule (schedule_account, schedule_id);

create table holiday (
  holiday_id uuid primary key,
  holiday_account int not null references account (account_key),
  holiday_version int not null default 1,
  holiday_created_at timestamptz not null default now(),
  holiday_updated_at timestamptz not null default now(),
  holiday_name text not null,
  holiday_kind text not null,
  holiday_dates jsonb not null,
  holiday_calendar text
);
create index holiday_by_account on holiday (holiday_account, holiday_id);

create table rule (
  rule_id uuid primary key,
  rule_account int not null references account (account_key),
  rule_version int not null default 1,
  rule_created_at timestamptz not null default now(),
  rule_updated_at timestamptz not null default now(),
  rule_name text not null,
  rule_effect text not null,
  rule_schedule uuid references schedule (schedule_id),
  rule_direction text not null,
  rule_adhoc jsonb,
  rule_enabled boolean not null,
  rule_note text
);
create index rule_by_account on rule (rule_account, rule_id);
create index rule_by_schedule on rule (rule_schedule);

-- Events, by month of occurrence; months are added as they come, the default partition loses nothing. --------------------

create table event (
  event_id uuid not null,
  event_account int not null,
  event_type text not null,
  event_category text not null,
  event_severity text not null,
  event_site uuid,
  event_door uuid,
  event_unit uuid,
  event_user uuid,
  event_credential uuid,
  event_direction text,
  event_outcome text,
  event_reason text,
  event_reasons jsonb not null default '[]',
  event_occurred_at timestamptz not null,
  event_received_at timestamptz not null default now(),
  event_backfilled boolean not null default false,
  event_policy_version bigint,
  event_log uuid,
  event_seq bigint,
  event_data jsonb not null default '{}',
  primary key (event_id, event_occurred_at)
) partition by range (event_occurred_at);
create table event_default partition of event default;
create index event_newest on event (event_account, event_occurred_at desc, event_id desc);
create index event_at_door on event (event_account, event_door, event_type, event_occurred_at desc);
create index event_of_user on event (event_account, event_user, event_occurred_at desc);
create index event_by_outcome on event (event_account, event_outcome, event_occurred_at desc);

-- Sessions, history, and the outbox that everybody follows who must hear of changes. -----------------------------------

create table session (
  session_token_hash bytea primary key,
  session_person uuid not null references person (person_id) on delete cascade,
  session_created_at timestamptz not null default now(),
  session_last_activity_at timestamptz not null default now(),
  session_ended_at timestamptz,
  session_address text,
  session_device text
);
create index session_by_person on session (session_person);

create table sign_in_failure (
  sign_in_failure_key text not null,
  sign_in_failure_at timestamptz not null default now()
);
create index sign_in_failure_by_key on sign_in_failure (sign_in_failure_key, sign_in_failure_at);

create table history (
  history_id uuid not null,
  history_account int not null,
  history_collection text not null,
  history_item uuid not null,
  history_action text not null,
  history_before jsonb,
  history_after jsonb,
  history_actor uuid,
  history_assumed_account int,
  history_request text,
  history_at timestamptz not null default now(),
  history_schema int not null,
  history_policy_version bigint,
  primary key (history_id, history_at)
) partition by range (history_at);
create table history_default partition of history default;
create index history_of_item on history (history_account, history_item, history_at desc);
create index history_by_account on history (history_account, history_at desc);

create table change (
  change_id bigint generated always as identity,
  change_xid xid8 not null default pg_current_xact_id(),
  change_at timestamptz not null default now(),
  change_account int not null,
  change_collection text not null,
  change_item uuid not null,
  change_action text not null,
  change_is_policy boolean not null,
  primary key (change_xid, change_id)
);

-- Who may touch what. ---------------------------------------------------------------------------------------------------

do $$
declare
  scoped text;
begin
  foreach scoped in array array['account', 'membership', 'site', 'unit', 'unit_state', 'door', 'door_state', 'user_group',
    'door_group', 'site_group', 'link', 'credential', 'schedule', 'holiday', 'rule', 'event', 'history'] loop
    execute format('alter table %I enable row level security', scoped);
    execute format('alter table %I force row level security', scoped);
    execute format(
      'create policy %I on %I to portcullis_web using (%I = any ((select nullif(current_setting(''app.accounts'', true), '''')::int[])::int[]))',
      scoped || '_in_sight', scoped, scoped || '_account');
    execute format('create policy %I on %I to portcullis_system using (true) with check (true)', scoped || '_system', scoped);
    execute format('grant select, insert, update, delete on %I to portcullis_web', scoped);
  end loop;
end $$;
revoke update, delete on event, history, unit_state, door_state from portcullis_web;
revoke insert on event from portcullis_web;

alter table person enable row level security;
alter table person force row level security;
create policy person_in_sight on person for select to portcullis_web
  using (exists (select 1 from membership where membership_user = person_id));
-- Whoever leaves the last account in sight is still to be found, to be removed for good.
create policy person_at_home on person for select to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_created on person for insert to portcullis_web
  with check (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_changed_at_home on person for update to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_removed_at_home on person for delete to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_system on person to portcullis_system using (true) with check (true);
grant select (person_id, person_home, person_name, person_email, person_img, person_hyper, person_verified,
              person_idle_time, person_created_at) on person to portcullis_web;
grant insert (person_id, person_home, person_name, person_email, person_idle_time) on person to portcullis_web;
grant update (person_name, person_email, person_idle_time) on person to portcullis_web;
grant delete on person to portcullis_web;

grant select, insert, update, delete on "user" to portcullis_web;
grant select, insert on account_closure to portcullis_web;
grant select, insert, update on policy to portcullis_web;
grant insert on change to portcullis_web;
grant select, insert, update, delete on all tables in schema public to portcullis_system;
grant usage on all sequences in schema public to portcullis_web, portcullis_system;
