-- A user who signs in elsewhere accepts each further membership themselves (decision 0154).

-- Until then it gives no rights in the console. Its user is a cardholder like any other.
alter table membership add column membership_waits boolean not null default false;

-- The email with which an account created a user while another identity had it. It is shown, and signs no user in.
alter table person add column person_claimed_email text;
create index person_by_claimed_email on person (person_claimed_email) where person_claimed_email is not null;
grant select (person_claimed_email), insert (person_claimed_email) on person to portcullis_web;
grant select (membership_waits), insert (membership_waits) on membership to portcullis_web;

create or replace view "user" with (security_invoker = true) as
  select person_id as user_id, membership_account as user_account, membership_version as user_version,
         membership_created_at as user_created_at, membership_updated_at as user_updated_at,
         person_name as user_name, coalesce(person_email, person_claimed_email) as user_email, person_img as user_img,
         person_hyper as user_hyper, person_verified and not membership_waits as user_verified,
         person_idle_time as user_idle_time,
         membership_role as user_role, membership_status as user_status, membership_title as user_title,
         membership_valid_from as user_valid_from, membership_valid_until as user_valid_until,
         membership_last_recertified_at as user_last_recertified_at
    from membership join person on person_id = membership_user;

-- How a user that an account creates would sign in: `own`, because their identity is known in other accounts and has an
-- email; `other`, because another identity has this email; or `new`. Rows that the caller does not see count too. Locks the
-- email until the transaction ends, so that no two identities get it.
create function sign_in_of(id uuid, email text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7361912, hashtext(email));
  if exists (select from person where person_id = id and person_email is not null) then return 'own'; end if;
  if exists (select from person where person_email = email and person_id <> id) then return 'other'; end if;
  return 'new';
end $$;

create or replace function user_created() returns trigger language plpgsql as $$
declare
  sign_in text := sign_in_of(new.user_id, new.user_email);
begin
  if exists (select from person join membership on membership_user = person_id
              where membership_account = new.user_account and person_email = new.user_email)
     or exists (select from person join membership on membership_user = person_id
                 where membership_account = new.user_account and person_claimed_email = new.user_email) then
    raise unique_violation using constraint = 'person_person_email_key';
  end if;
  insert into person (person_id, person_home, person_name, person_email, person_claimed_email, person_idle_time)
    values (new.user_id, new.user_account, new.user_name, case when sign_in <> 'other' then new.user_email end,
            case when sign_in = 'other' then new.user_email end, coalesce(new.user_idle_time, 300))
    on conflict (person_id) do nothing;
  insert into membership (membership_user, membership_account, membership_version, membership_role, membership_status,
                          membership_title, membership_valid_from, membership_valid_until,
                          membership_last_recertified_at, membership_waits)
    values (new.user_id, new.user_account, coalesce(new.user_version, 1), coalesce(new.user_role, 'appUser'),
            coalesce(new.user_status, 'active'), new.user_title, new.user_valid_from, new.user_valid_until,
            coalesce(new.user_last_recertified_at, now()), sign_in <> 'new');
  return new;
end $$;

create or replace function user_changed() returns trigger language plpgsql as $$
begin
  if (new.user_name, new.user_email, new.user_idle_time) is distinct from
     (old.user_name, old.user_email, old.user_idle_time) then
    update person set person_name = new.user_name, person_idle_time = new.user_idle_time,
                      person_email = case when new.user_email is distinct from old.user_email then new.user_email
                                          else person_email end
     where person_id = old.user_id and person_home = old.user_account;
    if not found then
      raise exception 'home_account_only' using errcode = 'PC422', constraint = 'home_account_only';
    end if;
  end if;
  update membership set membership_version = new.user_version, membership_updated_at = new.user_updated_at,
         membership_role = new.user_role, membership_status = new.user_status, membership_title = new.user_title,
         membership_valid_from = new.user_valid_from, membership_valid_until = new.user_valid_until,
         membership_last_recertified_at = new.user_last_recertified_at
   where membership_user = old.user_id and membership_account = old.user_account
     and membership_version = old.user_version;
  if not found then return null; end if;
  return new;
end $$;

-- An identity whose home account has removed the user belongs to the oldest account that remains. An account whose invitation
-- the user has not accepted gets no identity with which they sign in.
create function move_home(id uuid) returns void language sql security definer set search_path = public, pg_temp as $$
  update person set person_home = membership_account
    from (select membership_account from membership join person on person_id = membership_user
           where membership_user = id and (not membership_waits or person_email is null)
           order by membership_created_at, membership_account limit 1) oldest
   where person_id = id
     and not exists (select from membership where membership_user = id and membership_account = person_home);
$$;

create or replace function user_removed() returns trigger language plpgsql as $$
begin
  delete from membership where membership_user = old.user_id and membership_account = old.user_account;
  -- Memberships in accounts that this transaction does not see keep the identity; only the foreign key shows it.
  begin
    delete from person where person_id = old.user_id and person_home = old.user_account;
  exception when foreign_key_violation then perform move_home(old.user_id);
  end;
  return old;
end $$;

-- Invitations to accept a membership. Rows stay after their end: requests for another email are counted.
create table membership_invitation (
  membership_invitation_id uuid primary key,
  membership_invitation_token_hash bytea not null unique,
  -- The identity that accepts.
  membership_invitation_person uuid not null references person (person_id) on delete cascade,
  membership_invitation_user uuid not null,
  membership_invitation_account int not null,
  membership_invitation_invited_by_name text not null,
  -- The address from which it was requested again. The first one has none.
  membership_invitation_address text,
  membership_invitation_created_at timestamptz not null default now(),
  -- The end of the link. In the console, an invitation has no end.
  membership_invitation_expires_at timestamptz not null,
  -- Accepted, declined, or replaced by a newer one.
  membership_invitation_ended_at timestamptz,
  foreign key (membership_invitation_user, membership_invitation_account)
    references membership (membership_user, membership_account) on delete cascade
);
create index membership_invitation_by_person on membership_invitation (membership_invitation_person);
create index membership_invitation_by_user
  on membership_invitation (membership_invitation_user, membership_invitation_account);
create index membership_invitation_by_address
  on membership_invitation (membership_invitation_address, membership_invitation_created_at);
grant select, insert, update, delete on membership_invitation to portcullis_system;

-- The emails with invitations of the last hour, counted to limit floods. They outlive the users and memberships that they are about:
-- otherwise an account could delete a user, create them again and send another email.
create table membership_mail (
  membership_mail_id bigint generated always as identity primary key,
  membership_mail_to text not null,
  membership_mail_account int not null,
  membership_mail_created_at timestamptz not null default now()
);
create index membership_mail_by_recipient on membership_mail (membership_mail_to, membership_mail_created_at);
create index membership_mail_by_account on membership_mail (membership_mail_account, membership_mail_created_at);
create index membership_mail_by_age on membership_mail (membership_mail_created_at);
grant select, insert, update, delete on membership_mail to portcullis_system;

-- Whether another email with an invitation may be sent to this address by this account, which then counts. Locks the address like
-- `sign_in_of`, so that concurrent invitations are counted too.
create function count_membership_mail(recipient text, account int) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  hour_ago timestamptz := now() - interval '1 hour';
begin
  perform pg_advisory_xact_lock(7361912, hashtext(recipient));
  if (select count(*) from membership_mail
       where membership_mail_to = recipient and membership_mail_created_at > hour_ago) >= 5
     or (select count(*) from membership_mail
          where membership_mail_account = account and membership_mail_created_at > hour_ago) >= 50 then
    return false;
  end if;
  insert into membership_mail (membership_mail_to, membership_mail_account) values (recipient, account);
  return true;
end $$;

-- Invites the identity of a waiting membership, with an email. `portcullis_web` may not see that identity. Above the limits,
-- the invitation is only in the console, and one that is open stays: its link may have arrived.
create function invite_member(invitation uuid, mail uuid, invited uuid, account int, token_hash bytea, inviter text,
                              address text, content jsonb, days int)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  identity uuid;
  recipient text;
  is_mailed boolean;
begin
  select coalesce(other.person_id, own.person_id), coalesce(other.person_email, own.person_email)
    into identity, recipient
    from person own join membership on membership_user = own.person_id
    left join person other on other.person_email = own.person_claimed_email
   where own.person_id = invited and membership_account = account and membership_waits;
  if not found then return; end if;
  is_mailed := recipient is not null and count_membership_mail(recipient, account);
  if not is_mailed and exists (
       select from membership_invitation
        where membership_invitation_user = invited and membership_invitation_account = account
          and membership_invitation_ended_at is null) then
    return;
  end if;
  update membership_invitation set membership_invitation_ended_at = now()
   where membership_invitation_user = invited and membership_invitation_account = account
     and membership_invitation_ended_at is null;
  insert into membership_invitation (membership_invitation_id, membership_invitation_token_hash,
      membership_invitation_person, membership_invitation_user, membership_invitation_account,
      membership_invitation_invited_by_name, membership_invitation_address, membership_invitation_expires_at)
    values (invitation, token_hash, identity, invited, account, inviter, address, now() + make_interval(days => days));
  insert into mail (mail_id, mail_person, mail_to_name, mail_to_address, mail_kind, mail_content)
    select mail, person_id, person_name, person_email, content ->> 'kind', content
      from person where person_id = identity and is_mailed;
end $$;

grant create on schema public to portcullis_system;
alter function sign_in_of owner to portcullis_system;
alter function invite_member owner to portcullis_system;
alter function move_home owner to portcullis_system;
alter function count_membership_mail owner to portcullis_system;
revoke create on schema public from portcullis_system;
revoke execute on function sign_in_of, count_membership_mail, invite_member, move_home from public;
grant execute on function sign_in_of, invite_member, move_home to portcullis_web, portcullis_system;

-- A membership that waits keeps no session open.
create or replace function suspension_ends_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_ended_at = now()
   where session_person = new.membership_user and session_ended_at is null
     and not exists (select from person where person_id = new.membership_user and person_hyper)
     and not exists (select from membership
                      where membership_user = new.membership_user and membership_status = 'active'
                        and not membership_waits);
  return null;
end $$;

create or replace function account_suspension_ends_sessions() returns trigger
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
        where membership_user = session_person and membership_status = 'active' and not membership_waits
          and not exists (select from account_closure upward
                            join account above on above.account_key = upward.account_closure_ancestor
                           where upward.account_closure_descendant = membership_account
                             and above.account_status = 'suspended'));
  return null;
end $$;

alter table mail drop constraint mail_mail_kind_check;
alter table mail add constraint mail_mail_kind_check check (mail_kind in (
  'reset', 'invitation', 'membership', 'verification', 'email_change_old', 'email_change_new', 'password_changed',
  'email_changed', 'second_factor_on', 'second_factor_off', 'second_factor_reset', 'recovery_codes_renewed',
  'recovery_code_used', 'codes_locked', 'guest_link', 'guest_code'));
