-- History: the audit log, and the outbox through which every server hears of every change.

-- One row for every change of a configured item, in the transaction that makes it; also for exports, and for acting inside an
-- account. Names are stored as they were: users are renamed, and the reader may not see an assumed account.
create table history (
  history_id uuid not null,
  history_account int not null,
  history_collection text not null,
  -- Null for an export, which is of a whole collection.
  history_item uuid,
  history_action text not null check (history_action in ('create', 'patch', 'delete', 'export', 'assume', 'leave')),
  history_before jsonb,
  history_after jsonb,
  history_actor uuid,
  history_actor_name text,
  -- The account inside which a hyper user acted, the entry that says since when, and the reason given.
  history_assumed_account int,
  history_assumed_account_id uuid,
  history_assumption uuid,
  history_reason text,
  history_request text,
  -- The moment of writing, after the policy was locked: the entries of one tree then have the order of its policy versions,
  -- which the beginnings of their transactions need not have.
  history_at timestamptz not null default clock_timestamp(),
  -- The schema version of the server that wrote it.
  history_schema int not null,
  history_policy_version bigint,
  -- The entry that this change takes back.
  history_undoes uuid,
  -- The place in the order of transactions, in which the log is followed: only entries older than every open transaction. A
  -- number instead of an xid8, whose comparisons cannot use an index under row level security.
  history_position bigint not null default pg_current_xact_id()::text::bigint,
  primary key (history_id, history_at)
) partition by range (history_at);
create table history_default partition of history default;
create index history_newest on history (history_account, history_at desc, history_id desc);
create index history_in_time on history (history_at desc, history_id desc, history_account desc);
create index history_of_item on history (history_account, history_item, history_at desc);
create index history_of_collection on history (history_account, history_collection, history_at desc);
create index history_by_actor on history (history_account, history_actor, history_at desc);
create index history_by_action on history (history_account, history_action, history_at desc);
create index history_followed on history (history_account, history_position, history_id);
create index history_undoing on history (history_account, history_undoes, history_at desc) where history_undoes is not null;
create index history_of_assumption on history (history_account, history_assumption, history_at desc)
  where history_assumption is not null;
-- Users cannot change or delete history; months are dropped whole.
select guard_by_account('history', 'select, insert');

-- The collection of audit logs.
create view audit_log with (security_invoker = true) as
  select history_id as audit_log_id, history_account as audit_log_account, history_collection as audit_log_collection,
         history_item as audit_log_item, history_action as audit_log_action, history_before as audit_log_before,
         history_after as audit_log_after, history_actor as audit_log_actor, history_actor_name as audit_log_actor_name,
         history_assumed_account_id as audit_log_assumed_account, history_at as audit_log_at,
         history_request as audit_log_request_id, history_policy_version as audit_log_policy_version,
         history_undoes as audit_log_undoes, history_position as audit_log_position,
         history_assumption as audit_log_assumption, history_reason as audit_log_reason
    from history;
grant select on audit_log to portcullis_web, portcullis_system;

-- The history of members and subjects: one row for each link added or removed, from whichever end, and also where the item at
-- the other end was deleted.
create table link_history (
  link_history_account int not null,
  link_history_owner uuid not null,
  link_history_field text not null,
  link_history_kind text not null,
  link_history_target uuid not null,
  link_history_action text not null check (link_history_action in ('added', 'removed')),
  link_history_position bigint not null default pg_current_xact_id()::text::bigint,
  link_history_at timestamptz not null default clock_timestamp()
) partition by range (link_history_at);
create table link_history_default partition of link_history default;
create index link_history_of_owner on link_history (link_history_owner, link_history_at);
create index link_history_of_target on link_history (link_history_target, link_history_at);
select guard_by_account('link_history', 'select, insert');

create function link_kept_in_history() returns trigger language plpgsql as $$
begin
  insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
                            link_history_target, link_history_action)
    select link_account, link_owner, link_field, link_kind, link_target, tg_argv[0] from changed;
  return null;
end $$;
create trigger link_came after insert on link referencing new table as changed
  for each statement execute function link_kept_in_history('added');
comment on trigger link_came on link is
  'Recorded: no statement adds a link without its history.';
create trigger link_went after delete on link referencing old table as changed
  for each statement execute function link_kept_in_history('removed');
comment on trigger link_went on link is
  'Recorded: no statement removes a link without its history.';

-- The outbox ----------------------------------------------------------------------------------------------------------

-- Readers follow it in the order of transactions, never past an open one (decision 0014). `reread`: too many items of the
-- collection changed to be named one by one.
create table change (
  change_id bigint generated always as identity,
  change_xid xid8 not null default pg_current_xact_id(),
  change_at timestamptz not null default now(),
  change_account int not null,
  change_collection text not null,
  change_item uuid not null,
  change_action text not null check (change_action in ('save', 'remove', 'reread')),
  change_is_policy boolean not null,
  primary key (change_xid, change_id)
);
-- What one room missed is found without reading what all the others missed.
create index change_of_room on change (change_account, change_collection, change_xid, change_id);
grant insert on change to portcullis_web;
grant select, insert, update, delete on change to portcullis_system;
grant usage on sequence change_change_id_seq to portcullis_web, portcullis_system;

-- How far the outbox was settled at a time. Changes older than the mark of an hour ago have been delivered for an hour and are
-- deleted; a reader whose position is older than the oldest mark reads everything again.
create table change_mark (
  change_mark_at timestamptz not null default now(),
  change_mark_xid xid8 not null
);
create index change_mark_by_xid on change_mark (change_mark_xid);
grant select, insert, delete on change_mark to portcullis_system;

-- The transaction before which the outbox is complete. PostgreSQL counts open transactions for the whole engine; those known
-- to work in another database write nothing here. Any other counts as ours: one that has just begun or ended, or is prepared.
create function settled_before() returns xid8
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(min(open.xid), pg_snapshot_xmax(pg_current_snapshot()))
    from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
   where not exists (
     select from pg_locks held join pg_stat_activity holder on holder.pid = held.pid
      where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and held.granted
        and held.transactionid = open.xid::xid
        and holder.datid <> (select oid from pg_database where datname = current_database()))
$$;
grant execute on function settled_before to portcullis_system;

-- Changes of which the statement that makes them cannot report all ---------------------------------------------------------

create function item_moved() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  item uuid := (to_jsonb(new) ->> (tg_table_name || '_id'))::uuid;
  left_account int := (to_jsonb(old) ->> (tg_table_name || '_account'))::int;
  entered_account int := (to_jsonb(new) ->> (tg_table_name || '_account'))::int;
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    values (left_account, tg_argv[0], item, 'remove', tg_argv[1]::boolean),
           (entered_account, tg_argv[0], item, 'save', tg_argv[1]::boolean);
  return null;
end $$;

-- An item that moves to another account disappears from one and appears in the other, whichever role moves it.
create function announce_moves(moving name, collection text, is_policy boolean)
returns void language plpgsql set search_path = public, pg_temp as $$
begin
  execute format(
    'create trigger %1$I after update of %2$I on %3$I for each row when (old.%2$I <> new.%2$I)
       execute function item_moved(%4$L, %5$L)',
    moving || '_moved', moving || '_account', moving, collection, is_policy);
  execute format('comment on trigger %I on %I is %L', moving || '_moved', moving,
    'Recorded: in the outbox, the item leaves one account and enters another.');
end $$;
revoke execute on function announce_moves from public;

select announce_moves('site', 'sites', true);
select announce_moves('door', 'doors', true);
select announce_moves('unit', 'units', true);
select announce_moves('door_group', 'doorGroups', true);
select announce_moves('site_group', 'siteGroups', true);
select announce_moves('interlocking_group', 'interlockingGroups', true);
select announce_moves('user_group', 'userGroups', true);
select announce_moves('credential', 'credentials', true);
select announce_moves('schedule', 'schedules', true);
select announce_moves('holiday', 'holidays', true);
select announce_moves('rule', 'rules', true);
select announce_moves('contact', 'contacts', false);
select announce_moves('meta_data_template', 'metaDataTemplates', false);
select announce_moves('tenant', 'tenants', false);
select announce_moves('report', 'reports', false);

-- Every account above sees an account, so all of them hear of it.
create function account_told_above() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  action text := case tg_op when 'DELETE' then 'remove' else 'save' end;
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select account_closure_ancestor, 'accounts', old.account_id, action, false from account_closure
     where account_closure_descendant = old.account_key and account_closure_depth > 0;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger account_changed_told_above after update on account
  for each row when (old.* is distinct from new.*) execute function account_told_above();
comment on trigger account_changed_told_above on account is
  'Recorded: in the outbox of the accounts above, which the transaction may not see.';
create trigger account_removed_told_above before delete on account
  for each row execute function account_told_above();
comment on trigger account_removed_told_above on account is
  'Recorded: in the outbox of the accounts above, which the transaction may not see; before the closure is deleted.';

-- An account appeared under another one or left it. Both are a save: readers see which it was when they read the accounts.
create function account_place_told() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  place account_closure := coalesce(new, old);
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select place.account_closure_ancestor, 'accounts', account_id, 'save', false from account
     where account_key = place.account_closure_descendant and place.account_closure_depth > 0;
  return null;
end $$;
create trigger account_place_told after insert or delete on account_closure
  for each row execute function account_place_told();
comment on trigger account_place_told on account_closure is
  'Recorded: in the outbox of the accounts that it enters or leaves, which the transaction may not see.';

-- Every account that knows a person shows them. Runs as the role that sees those accounts, on behalf of the user who changes
-- the person.
create function person_told() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select membership_account, 'users', membership_user, 'save', false from membership
     where membership_user = new.person_id;
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function person_told owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger person_changed_told after update on person for each row
  when ((old.person_name, old.person_email, old.person_img, old.person_hyper, old.person_verified, old.person_idle_time)
        is distinct from
        (new.person_name, new.person_email, new.person_img, new.person_hyper, new.person_verified, new.person_idle_time))
  execute function person_told();
comment on trigger person_changed_told on person is
  'Recorded: in the outbox of every account of the person, which the transaction may not see.';
