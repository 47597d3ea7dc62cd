-- What those who follow changes need: how far the outbox is settled, how far back it is kept, the changes of one room, and
-- changes that the statement which makes them can't tell of by itself.

-- What one room missed is found without reading what all the others missed.
create index change_of_room on change (change_account, change_collection, change_xid, change_id);

-- How far the outbox was settled at a time: what is older than a mark of an hour ago has been told for an hour and may
-- be forgotten, and whoever comes from before the oldest mark has to read anew.
create table change_mark (
  change_mark_at timestamptz not null default now(),
  change_mark_xid xid8 not null
);
create index change_mark_by_xid on change_mark (change_mark_xid);
grant select, insert, delete on change_mark to portcullis_system;

-- Before this transaction the outbox holds everything that it ever will. Open transactions are counted for the whole
-- engine; those that are known to work in another of its databases write nothing here. What can't be told counts as ours:
-- a transaction that has just begun or ended, or one that is prepared.
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

-- An item that goes to another account leaves the sight of one and enters that of the other, whoever moves it.
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

do $$
declare
  movable record;
begin
  for movable in select * from (values
    ('site', 'sites', true), ('door', 'doors', true), ('unit', 'units', true), ('door_group', 'doorGroups', true),
    ('site_group', 'siteGroups', true), ('user_group', 'userGroups', true), ('credential', 'credentials', true),
    ('schedule', 'schedules', true), ('holiday', 'holidays', true), ('rule', 'rules', true),
    ('interlocking_group', 'interlockingGroups', true), ('contact', 'contacts', false),
    ('meta_data_template', 'metaDataTemplates', false), ('tenant', 'tenants', false), ('report', 'reports', false),
    ('task', 'tasks', false)) as moving (name, collection, is_policy) loop
    execute format(
      'create trigger %1$I after update of %2$I on %3$I for each row when (old.%2$I <> new.%2$I)
         execute function item_moved(%4$L, %5$L)',
      movable.name || '_moved', movable.name || '_account', movable.name, movable.collection, movable.is_policy);
  end loop;
end $$;

-- An account is in sight of every account above it: they hear of it too.
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
create trigger account_removed_told_above before delete on account
  for each row execute function account_told_above();

-- It came below another account, or went from there; which of the two, the accounts show to whoever reads them then.
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

-- A person is shown by every account that knows them, and looks different in all of them. Whoever changes the person need
-- not see those accounts: the role of the jobs tells them.
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
