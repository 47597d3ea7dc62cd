-- Where a new epoch of rights begins: a row says that from this transaction on, whatever is remembered of this person's
-- rights, or of this account and its place in the tree, has to be looked up anew. Whoever remembers rights keeps the
-- snapshot under which they were read, and trusts them while no row has become visible that was not visible then. A
-- counter would not do: one row of it would make every change of a membership wait for every other, and numbers from a
-- sequence are not given in the order of commits.

create table authorisation_epoch (
  authorisation_epoch_xid xid8 not null default pg_current_xact_id(),
  authorisation_epoch_at timestamptz not null default now(),
  authorisation_epoch_person uuid,
  authorisation_epoch_account int
);
create index authorisation_epoch_newest on authorisation_epoch (authorisation_epoch_xid);
create index authorisation_epoch_of_person on authorisation_epoch (authorisation_epoch_person, authorisation_epoch_xid)
  where authorisation_epoch_person is not null;
create index authorisation_epoch_of_account on authorisation_epoch (authorisation_epoch_account, authorisation_epoch_xid)
  where authorisation_epoch_account is not null;
grant select, delete on authorisation_epoch to portcullis_system;

-- Whose rights have changed since a snapshot: what a server that follows them asks, together with pg_current_snapshot()
-- for the next time.
create function authorisation_epochs_since(since pg_snapshot) returns table (person uuid, account int)
language sql stable set search_path = public, pg_temp as $$
  select distinct authorisation_epoch_person, authorisation_epoch_account from authorisation_epoch
   where authorisation_epoch_xid >= pg_snapshot_xmin(since)
     and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
$$;

-- Every change of a person, a membership or an account counts, save where nothing was changed: a right looked up once too
-- often costs a millisecond, one that outlives its end costs trust. The rows are written whoever makes the change.

create function person_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_person) values (coalesce(new.person_id, old.person_id));
  return null;
end $$;
create trigger person_begins_epoch after insert or delete on person
  for each row execute function person_begins_epoch();
create trigger person_changed_begins_epoch after update on person
  for each row when (old.* is distinct from new.*) execute function person_begins_epoch();

create function membership_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_person)
    values (coalesce(new.membership_user, old.membership_user));
  return null;
end $$;
create trigger membership_begins_epoch after insert or delete on membership
  for each row execute function membership_begins_epoch();
create trigger membership_changed_begins_epoch after update on membership
  for each row when (old.* is distinct from new.*) execute function membership_begins_epoch();

create function account_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_account) values (new.account_key);
  return null;
end $$;
create trigger account_changed_begins_epoch after update on account
  for each row when (old.* is distinct from new.*) execute function account_begins_epoch();

-- An account that comes, goes or moves changes the tree of every account above and below it.
create function account_closure_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_account)
    values (coalesce(new.account_closure_ancestor, old.account_closure_ancestor)),
           (coalesce(new.account_closure_descendant, old.account_closure_descendant));
  return null;
end $$;
create trigger account_closure_begins_epoch after insert or update or delete on account_closure
  for each row execute function account_closure_begins_epoch();

-- A session that serves requests: one that was neither ended nor opened longer than twelve hours ago.
create view live_session as
  select session_token_hash as live_session_token_hash, session_person as live_session_person
    from session where session_ended_at is null and session_created_at > now() - interval '12 hours';
grant select on live_session to portcullis_system;

-- Whether rights still hold that were read under the snapshot `since`, and that no membership's beginning or end could
-- change before `until`. Asked by the role that answers people, in the transaction that is to answer them: it can see
-- neither sessions nor epochs itself.
create function access_holds(token_hash bytea, person uuid, accounts int[], since pg_snapshot, until timestamptz)
returns boolean language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (until is null or until > now())
    and exists (select from live_session where live_session_token_hash = token_hash and live_session_person = person)
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_person = person and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since))
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_account = any(accounts) and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since));
end $$;
revoke execute on function access_holds, authorisation_epochs_since from public;
grant execute on function access_holds to portcullis_web, portcullis_system;
grant execute on function authorisation_epochs_since to portcullis_system;
