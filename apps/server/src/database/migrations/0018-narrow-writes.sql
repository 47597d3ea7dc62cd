-- minimum version: 18

-- `portcullis_web` no longer writes the closure of accounts, the outbox and the policy versions itself. Functions that run as
-- `portcullis_system`, which owns nothing but such functions, write for it what they are made for (decision 0111).

create function assert_in_scope(accounts int[]) returns void
language plpgsql stable set search_path = public, pg_temp as $$
declare
  visible int[] := coalesce(nullif(current_setting('app.accounts', true), ''), '{}')::int[];
begin
  if pg_has_role(session_user, 'portcullis_system', 'usage') then return; end if;
  if exists (select from (select distinct unnest(accounts)) named (account) where account <> all (visible)) then
    raise exception 'A change names an account that the transaction does not see.';
  end if;
end $$;

create function record_changes(accounts int[], collections text[], items uuid[], actions text[], policies boolean[])
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform assert_in_scope(accounts);
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select * from unnest(accounts, collections, items, actions, policies);
end $$;

-- The next version of an account tree; it can only count up. Null: the tree was just deleted.
create function next_policy_version(root int) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  next_version bigint;
begin
  update policy set policy_version = policy_version + 1 where policy_root = root returning policy_version into next_version;
  return next_version;
end $$;

revoke execute on function assert_in_scope, record_changes, next_policy_version from public;
grant execute on function record_changes, next_policy_version to portcullis_web, portcullis_system;

alter function account_joins_closure security definer set search_path = public, pg_temp;
alter function item_moved security definer;
alter function account_told_above security definer;
alter function account_place_told security definer;

grant create on schema public to portcullis_system;
alter function assert_in_scope owner to portcullis_system;
alter function record_changes owner to portcullis_system;
alter function next_policy_version owner to portcullis_system;
alter function account_joins_closure owner to portcullis_system;
alter function item_moved owner to portcullis_system;
alter function account_told_above owner to portcullis_system;
alter function account_place_told owner to portcullis_system;
revoke create on schema public from portcullis_system;

revoke insert on account_closure from portcullis_web;
revoke insert, update on policy from portcullis_web;
revoke insert on change from portcullis_web;
revoke usage on sequence change_change_id_seq from portcullis_web;

-- Clusters of earlier versions of PostgreSQL let every role create objects in this schema.
revoke create on schema public from public;
