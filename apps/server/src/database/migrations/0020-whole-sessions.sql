-- Sessions that end for who is away, owe a one-time code, and change their token at every step up; the second factor of
-- people who sign in.

alter table session
  add column session_id uuid not null default gen_random_uuid(),
  -- As the person's, which a trigger keeps: the session alone tells whether it lives.
  add column session_idle_time int not null default 300,
  -- When the person has last shown who they are.
  add column session_confirmed_at timestamptz not null default now(),
  add column session_owes_code boolean not null default false,
  -- Passwords and codes that were tried in the session since a right one.
  add column session_tries int not null default 0,
  -- Requests that were on their way while the token changed come with the one of before.
  add column session_previous_token_hash bytea,
  add column session_previous_until timestamptz;
create unique index session_by_id on session (session_id);
create unique index session_by_previous_token on session (session_previous_token_hash)
  where session_previous_token_hash is not null;

-- A session that has not ended: by hand, by its twelve hours, by a minute more than the idle time without activity; or, while
-- it owes a code, by five minutes, whatever is done in them.
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

-- The same by each token that opens it. The one of before knows nothing of what the person has confirmed since.
create or replace view live_session as
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

create or replace function access_holds(token_hash bytea, person uuid, accounts int[], since pg_snapshot, until timestamptz)
returns boolean language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (until is null or until > now())
    and exists (select from live_session where live_session_token_hash = token_hash and live_session_person = person
                   and not live_session_owes_code)
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_person = person and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since))
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_account = any(accounts) and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since));
end $$;

create function idle_time_reaches_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_idle_time = new.person_idle_time
   where session_person = new.person_id and session_ended_at is null;
  return null;
end $$;

-- Who is active nowhere any more is disabled: their sessions end.
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

-- Whoever makes such a change need not see sessions, nor all accounts: the role of the sign-in does.
grant create on schema public to portcullis_system;
alter function idle_time_reaches_sessions owner to portcullis_system;
alter function suspension_ends_sessions owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger person_idle_time_reaches_sessions after update of person_idle_time on person for each row
  when (new.person_idle_time <> old.person_idle_time) execute function idle_time_reaches_sessions();
create trigger membership_suspension_ends_sessions after update of membership_status on membership for each row
  when (new.membership_status <> old.membership_status and new.membership_status <> 'active')
  execute function suspension_ends_sessions();

-- The second factor: a key that an authenticator shares, sealed under a key outside the database.
create table mfa (
  mfa_person uuid primary key references person (person_id) on delete cascade,
  -- Null until a set-up was completed.
  mfa_key bytea,
  mfa_is_asked boolean not null default false,
  -- The newest time step whose code was accepted: neither it nor one before is accepted again.
  mfa_last_step bigint not null default 0,
  -- The step whose code completed the set-up: it serves the sign-in that follows, once.
  mfa_spare_step bigint,
  mfa_pending_key bytea,
  -- Wrong codes of the person since this moment, in whichever session.
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
