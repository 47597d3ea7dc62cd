-- Whose rights have changed since a snapshot, and with which transaction last: who looks twice at the same change tells it once.
drop function authorisation_epochs_since(pg_snapshot);
create function authorisation_epochs_since(since pg_snapshot) returns table (person uuid, account int, begun bigint)
language sql stable set search_path = public, pg_temp as $$
  select authorisation_epoch_person, authorisation_epoch_account, max(authorisation_epoch_xid::text::bigint)
    from authorisation_epoch
   where authorisation_epoch_xid >= pg_snapshot_xmin(since)
     and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
   group by 1, 2
$$;
revoke execute on function authorisation_epochs_since from public;
grant execute on function authorisation_epochs_since to portcullis_system;
