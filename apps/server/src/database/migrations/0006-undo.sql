-- What the audit log needs so that a change can be taken back, an item be asked for as it was, and the log be followed.

-- An export is of a collection, not of an item.
alter table history alter column history_item drop not null;
alter table history add column history_undoes uuid;

-- The place of an entry in the order of transactions: whoever follows the log reads in this order, and only what is older
-- than every transaction still open. A number rather than an xid8, whose comparisons reach no index under row level security.
alter table history add column history_position bigint not null default 0;
alter table history alter column history_position set default pg_current_xact_id()::text::bigint;

-- The moment at which the entry is written, after the lock of the policy was taken: entries of one tree then have the order
-- of its versions, which the beginnings of their transactions need not have.
alter table history alter column history_at set default clock_timestamp();

create index history_followed on history (history_account, history_position, history_id);
create index history_undoing on history (history_account, history_undoes, history_at desc) where history_undoes is not null;

create or replace view audit_log with (security_invoker = true) as
  select history_id as audit_log_id, history_account as audit_log_account, history_collection as audit_log_collection,
         history_item as audit_log_item, history_action as audit_log_action, history_before as audit_log_before,
         history_after as audit_log_after, history_actor as audit_log_actor, history_actor_name as audit_log_actor_name,
         history_assumed_account_id as audit_log_assumed_account, history_at as audit_log_at,
         history_request as audit_log_request_id, history_policy_version as audit_log_policy_version,
         history_undoes as audit_log_undoes, history_position as audit_log_position
    from history;

-- Members of groups and subjects of rules have a history of their own: one row for each that came or went, from whichever
-- end it was changed, and also where the thing at the other end was deleted. --------------------------------------------

create table link_history (
  link_history_account int not null,
  link_history_owner uuid not null,
  link_history_field text not null,
  link_history_kind text not null,
  link_history_target uuid not null,
  link_history_action text not null,
  link_history_position bigint not null default pg_current_xact_id()::text::bigint,
  link_history_at timestamptz not null default clock_timestamp()
) partition by range (link_history_at);
create table link_history_default partition of link_history default;
create index link_history_of_owner on link_history (link_history_owner, link_history_at);
create index link_history_of_target on link_history (link_history_target, link_history_at);

alter table link_history enable row level security;
alter table link_history force row level security;
create policy link_history_in_sight on link_history to portcullis_web
  using (link_history_account = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy link_history_system on link_history to portcullis_system using (true) with check (true);
grant select, insert on link_history to portcullis_web;
grant select, insert, update, delete on link_history to portcullis_system;

create function link_kept_in_history() returns trigger language plpgsql as $$
begin
  insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
                            link_history_target, link_history_action)
    select link_account, link_owner, link_field, link_kind, link_target, tg_argv[0] from changed;
  return null;
end $$;
create trigger link_came after insert on link referencing new table as changed
  for each statement execute function link_kept_in_history('added');
create trigger link_went after delete on link referencing old table as changed
  for each statement execute function link_kept_in_history('removed');

-- An account that is made again gets back its old key, under which its events and its history lie. ----------------------

create table account_gone (
  account_gone_id uuid primary key,
  account_gone_key int not null
);

create function account_leaves() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into account_gone values (old.account_id, old.account_key) on conflict do nothing;
  return null;
end $$;
create trigger account_leaves after delete on account for each row execute function account_leaves();

create function account_comes_back() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known int;
begin
  select account_gone_key into known from account_gone where account_gone_id = new.account_id;
  new.account_key := coalesce(known, new.account_key);
  return new;
end $$;
-- Triggers run in the order of their names: this one comes before the account enters the tree.
create trigger account_comes_back before insert on account for each row execute function account_comes_back();

-- Somebody who is made again may still be known elsewhere: then only the membership was gone. ---------------------------

create or replace function user_created() returns trigger language plpgsql as $$
begin
  insert into person (person_id, person_home, person_name, person_email, person_idle_time)
    values (new.user_id, new.user_account, new.user_name, new.user_email, coalesce(new.user_idle_time, 300))
    on conflict (person_id) do nothing;
  insert into membership (membership_user, membership_account, membership_version, membership_role, membership_status,
                          membership_title, membership_valid_from, membership_valid_until,
                          membership_last_recertified_at)
    values (new.user_id, new.user_account, coalesce(new.user_version, 1), coalesce(new.user_role, 'appUser'),
            coalesce(new.user_status, 'active'), new.user_title, new.user_valid_from, new.user_valid_until,
            coalesce(new.user_last_recertified_at, now()));
  return new;
end $$;
