-- Sessions: who is signed in, with what second factor, with which rights, and acting in which account. `portcullis_web` reads
-- none of these tables.

create table session (
  -- The token itself is known to the browser alone. It changes whenever the session gains rights.
  session_token_hash bytea primary key,
  session_id uuid not null default gen_random_uuid(),
  session_person uuid not null references person (person_id) on delete cascade,
  session_created_at timestamptz not null default now(),
  session_last_activity_at timestamptz not null default now(),
  -- A copy of the person's, so that the session alone shows whether it is open.
  session_idle_time int not null default 300,
  -- When the user last proved who they are.
  session_confirmed_at timestamptz not null default now(),
  session_owes_code boolean not null default false,
  -- Passwords and codes tried in this session since the last right one.
  session_tries int not null default 0,
  -- Requests already under way when the token changed carry the previous one.
  session_previous_token_hash bytea,
  session_previous_until timestamptz,
  session_ended_at timestamptz,
  session_address text,
  session_device text
);
create unique index session_by_id on session (session_id);
create unique index session_by_previous_token on session (session_previous_token_hash)
  where session_previous_token_hash is not null;
create index session_by_person on session (session_person);
grant select, insert, update, delete on session to portcullis_system;

-- A session is open until it is ended, for at most 12 hours, and until the idle time plus a minute has passed without activity;
-- while it owes a one-time code, for 5 minutes, whatever happens in them.
create view open_session as
  select session_id as open_session_id, session_person as open_session_person,
         session_token_hash as open_session_token_hash, session_owes_code as open_session_owes_code,
         session_previous_token_hash as open_session_previous_token_hash,
         session_previous_until as open_session_previous_until, session_confirmed_at as open_session_confirmed_at,
         case when session_owes_code then session_created_at + interval '5 minutes'
              else least(session_created_at + interval '12 hours',
                         session_last_activity_at + make_interval(secs => session_idle_time + 60)) end
           as open_session_ends_at
    from session
   where session_ended_at is null
     and case when session_owes_code then session_created_at > now() - interval '5 minutes'
              else session_created_at > now() - interval '12 hours'
               and session_last_activity_at > now() - make_interval(secs => session_idle_time + 60) end;

-- Open sessions by each token that opens them. The previous token proves nothing about what the user confirmed since.
create view live_session as
  select open_session_token_hash as live_session_token_hash, open_session_person as live_session_person,
         open_session_id as live_session_id, open_session_owes_code as live_session_owes_code,
         open_session_confirmed_at as live_session_confirmed_at, open_session_ends_at as live_session_ends_at
    from open_session
   union all
  select open_session_previous_token_hash, open_session_person, open_session_id, open_session_owes_code,
         '-infinity'::timestamptz, open_session_ends_at
    from open_session
   where open_session_previous_token_hash is not null and open_session_previous_until > now();
grant select on open_session, live_session to portcullis_system;

-- Signing in ----------------------------------------------------------------------------------------------------------

-- A try counts from its beginning, under each of its keys; a right one is deleted again.
create table sign_in_failure (
  sign_in_failure_key text not null,
  sign_in_failure_try uuid,
  sign_in_failure_at timestamptz not null default now()
);
create index sign_in_failure_by_key on sign_in_failure (sign_in_failure_key, sign_in_failure_at);
create index sign_in_failure_oldest on sign_in_failure (sign_in_failure_at);
grant select, insert, update, delete on sign_in_failure to portcullis_system;

-- Browsers in which a user has signed in before, by the hash of a cookie.
create table known_device (
  known_device_token_hash bytea not null,
  known_device_person uuid not null references person (person_id) on delete cascade,
  known_device_used_at timestamptz not null default now(),
  primary key (known_device_token_hash, known_device_person)
);
create index known_device_by_person on known_device (known_device_person);
create index known_device_unused on known_device (known_device_used_at);
grant select, insert, update, delete on known_device to portcullis_system;

-- The second factor: a key shared with an authenticator app, encrypted under a key outside the database.
create table mfa (
  mfa_person uuid primary key references person (person_id) on delete cascade,
  -- Null until a setup is complete.
  mfa_key bytea,
  mfa_is_asked boolean not null default false,
  -- The newest time step whose code was accepted: no code of it or of an earlier one is accepted again.
  mfa_last_step bigint not null default 0,
  -- The step whose code completed the setup: it also serves the sign-in that follows, once.
  mfa_spare_step bigint,
  mfa_pending_key bytea,
  -- Wrong codes of the user since this moment, in all sessions.
  mfa_tries int not null default 0,
  mfa_tries_since timestamptz not null default now()
);
grant select, insert, update, delete on mfa to portcullis_system;

create table recovery_code (
  recovery_code_person uuid not null references person (person_id) on delete cascade,
  recovery_code_hash bytea not null,
  primary key (recovery_code_person, recovery_code_hash)
);
grant select, insert, update, delete on recovery_code to portcullis_system;

-- When sessions change or end by a change elsewhere. These functions run as the role that sees all sessions and accounts, on
-- behalf of users who need not see them -----------------------------------------------------------------------------------

create function idle_time_reaches_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_idle_time = new.person_idle_time
   where session_person = new.person_id and session_ended_at is null;
  return null;
end $$;

-- A user whose last active membership was suspended is disabled: their sessions end.
create function suspension_ends_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_ended_at = now()
   where session_person = new.membership_user and session_ended_at is null
     and not exists (select from person where person_id = new.membership_user and person_hyper)
     and not exists (select from membership
                      where membership_user = new.membership_user and membership_status = 'active');
  return null;
end $$;

-- The same for users whose last active membership was in an account that is suspended, or below it. Roles held above it count
-- on, and the sessions of users who hold one stay open.
create function account_suspension_ends_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_ended_at = now()
   where session_ended_at is null
     and session_person in (
       select membership_user from membership
         join account_closure on account_closure_descendant = membership_account
        where account_closure_ancestor = new.account_key)
     and not exists (select from person where person_id = session_person and person_hyper)
     and not exists (
       select from membership
        where membership_user = session_person and membership_status = 'active'
          and not exists (select from account_closure upward
                            join account above on above.account_key = upward.account_closure_ancestor
                           where upward.account_closure_descendant = membership_account
                             and above.account_status = 'suspended'));
  return null;
end $$;

grant create on schema public to portcullis_system;
alter function idle_time_reaches_sessions owner to portcullis_system;
alter function suspension_ends_sessions owner to portcullis_system;
alter function account_suspension_ends_sessions owner to portcullis_system;
revoke create on schema public from portcullis_system;

create trigger person_idle_time_reaches_sessions after update of person_idle_time on person for each row
  when (new.person_idle_time <> old.person_idle_time) execute function idle_time_reaches_sessions();
comment on trigger person_idle_time_reaches_sessions on person is
  'Derived: a copy of the idle time, by which sessions end; portcullis_web cannot write them.';
create trigger membership_suspension_ends_sessions after update of membership_status on membership for each row
  when (new.membership_status <> old.membership_status and new.membership_status <> 'active')
  execute function suspension_ends_sessions();
comment on trigger membership_suspension_ends_sessions on membership is
  'Security: a disabled user has no open session; portcullis_web sees neither sessions nor other accounts.';
create trigger account_suspension_ends_sessions after update of account_status on account for each row
  when (new.account_status = 'suspended' and old.account_status <> 'suspended')
  execute function account_suspension_ends_sessions();
comment on trigger account_suspension_ends_sessions on account is
  'Security: a disabled user has no open session; portcullis_web sees neither sessions nor other accounts.';

-- Rights that are remembered, and how they end (decision 0035) -----------------------------------------------------------

-- A row says that from this transaction on, remembered rights of this person, or of this account and its place in the tree,
-- must be looked up again. Servers keep the snapshot under which they read rights, and trust them while no row has become
-- visible that was not visible then. A counter would make every change of a membership wait for every other one, and the
-- numbers of a sequence are not in the order of commits.
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

-- Every change of a person, a membership or an account begins an epoch, except an update that changes nothing: looking up
-- rights once too often costs a millisecond, trusting them for too long costs security. The rows are written whichever role
-- makes the change, and neither role can write one itself.

create function person_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_person) values (coalesce(new.person_id, old.person_id));
  return null;
end $$;
create trigger person_begins_epoch after insert or delete on person
  for each row execute function person_begins_epoch();
comment on trigger person_begins_epoch on person is
  'Security: no statement changes rights without an epoch.';
create trigger person_changed_begins_epoch after update on person
  for each row when (old.* is distinct from new.*) execute function person_begins_epoch();
comment on trigger person_changed_begins_epoch on person is
  'Security: no statement changes rights without an epoch.';

create function membership_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_person)
    values (coalesce(new.membership_user, old.membership_user));
  return null;
end $$;
create trigger membership_begins_epoch after insert or delete on membership
  for each row execute function membership_begins_epoch();
comment on trigger membership_begins_epoch on membership is
  'Security: no statement changes rights without an epoch.';
create trigger membership_changed_begins_epoch after update on membership
  for each row when (old.* is distinct from new.*) execute function membership_begins_epoch();
comment on trigger membership_changed_begins_epoch on membership is
  'Security: no statement changes rights without an epoch.';

create function account_begins_epoch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into authorisation_epoch (authorisation_epoch_account) values (new.account_key);
  return null;
end $$;
create trigger account_changed_begins_epoch after update on account
  for each row when (old.* is distinct from new.*) execute function account_begins_epoch();
comment on trigger account_changed_begins_epoch on account is
  'Security: no statement changes rights without an epoch.';

-- An account that is created, deleted or moved changes the tree of every account above and below it.
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
comment on trigger account_closure_begins_epoch on account_closure is
  'Security: no statement changes rights without an epoch.';

-- Whose rights changed since a snapshot, and in which transaction last. Servers ask for it together with
-- pg_current_snapshot(), for the next time.
create function authorisation_epochs_since(since pg_snapshot) returns table (person uuid, account int, begun bigint)
language sql stable set search_path = public, pg_temp as $$
  select authorisation_epoch_person, authorisation_epoch_account, max(authorisation_epoch_xid::text::bigint)
    from authorisation_epoch
   where authorisation_epoch_xid >= pg_snapshot_xmin(since)
     and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
   group by 1, 2
$$;

-- Whether rights still hold that were read under the snapshot `since` and that no beginning or end of a membership changes
-- before `until`. `portcullis_web` asks in the transaction that is to answer the user: it sees neither sessions nor epochs
-- itself. A change proves its rights in its last statement, as it may have waited long for its turn; what the transaction
-- itself changed of its author's rights is no reason to refuse it.
create function access_holds(token_hash bytea, person uuid, accounts int[], since pg_snapshot, until timestamptz)
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
revoke execute on function access_holds, prove_access, authorisation_epochs_since from public;
grant execute on function access_holds, prove_access to portcullis_web, portcullis_system;
grant execute on function authorisation_epochs_since to portcullis_system;

-- Acting inside an account (decision 0063) ------------------------------------------------------------------------------

create table assumption (
  -- The same as the entry of the audit log that reports its beginning.
  assumption_id uuid primary key,
  assumption_session uuid not null,
  assumption_person uuid not null references person (person_id) on delete cascade,
  -- The account from which the hyper user acts, and the one below it in which they act.
  assumption_from int not null,
  assumption_account int not null,
  assumption_reason text not null,
  assumption_address text,
  assumption_device text,
  assumption_since timestamptz not null default now(),
  assumption_until timestamptz not null,
  assumption_ended_at timestamptz
);
-- One per session and pair of accounts, however many tabs ask for it at once.
create unique index assumption_open on assumption (assumption_session, assumption_from, assumption_account)
  where assumption_ended_at is null;
create index assumption_of_session on assumption (assumption_session, assumption_from);
create index assumption_to_end on assumption (assumption_until) where assumption_ended_at is null;
grant select, insert, update, delete on assumption to portcullis_system;
