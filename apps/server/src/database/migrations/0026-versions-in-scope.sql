-- Users in one account tree cannot count up the version of another's policy: the function now checks, as `record_changes` does,
-- that the transaction sees an account of the tree (decision 0111).
create or replace function next_policy_version(root int) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  visible int[] := coalesce(nullif(current_setting('app.accounts', true), ''), '{}')::int[];
  next_version bigint;
begin
  update policy set policy_version = policy_version + 1
   where policy_root = root returning policy_version into next_version;
  if next_version is not null and not pg_has_role(session_user, 'portcullis_system', 'usage')
    and not exists (select from account where account_key = any(visible) and account_root = root) then
    raise exception 'A policy has no account that the transaction sees.';
  end if;
  return next_version;
end $$;
