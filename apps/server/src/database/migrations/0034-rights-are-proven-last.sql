-- What changes something proves its rights as its last statement: it may have waited long for its turn. What it has changed of
-- its own author's rights by then is no reason to refuse it, so its own transaction doesn't count.
create or replace function access_holds(token_hash bytea, person uuid, accounts int[], since pg_snapshot, until timestamptz)
returns boolean language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (until is null or until > clock_timestamp())
    and (exists (select from live_session where live_session_token_hash = token_hash and live_session_person = person
                    and not live_session_owes_code)
      or exists (select from authorisation_epoch
                  where authorisation_epoch_person = person
                    and authorisation_epoch_xid = pg_current_xact_id_if_assigned()))
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_person = person and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
         and authorisation_epoch_xid is distinct from pg_current_xact_id_if_assigned())
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_account = any(accounts) and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
         and authorisation_epoch_xid is distinct from pg_current_xact_id_if_assigned());
end $$;

create function prove_access(token_hash bytea, person uuid, accounts int[], since pg_snapshot, until timestamptz)
returns void language plpgsql stable set search_path = public, pg_temp as $$
begin
  if not coalesce(access_holds(token_hash, person, accounts, since, until), false) then
    raise exception 'rights have changed since they were looked up' using errcode = 'PC409';
  end if;
end $$;
revoke execute on function prove_access from public;
grant execute on function prove_access to portcullis_web, portcullis_system;
