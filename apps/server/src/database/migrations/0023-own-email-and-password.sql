-- What people prove by a mail (that an address is theirs, that they want another one), invitations, and how guesses at
-- passwords are counted.

-- An invitation is a link that sets a first password, and proves the address that it was sent to. It is made along with the
-- person, by the role that answers people; that role reads none.
alter table password_reset
  add column password_reset_invites boolean not null default false,
  -- Where it was asked from; nobody asks for an invitation.
  alter column password_reset_address drop not null;
alter table password_reset enable row level security;
alter table password_reset force row level security;
create policy password_reset_system on password_reset to portcullis_system using (true) with check (true);
create policy password_reset_invitation on password_reset for insert to portcullis_web
  with check (password_reset_invites and exists (
    select from person where person_id = password_reset_person
       and person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[])));
grant insert on password_reset to portcullis_web;

-- Links that confirm an address: the one that somebody has, or a side of a change.
create table email_link (
  email_link_token_hash bytea primary key,
  email_link_person uuid not null references person (person_id) on delete cascade,
  email_link_purpose text not null check (email_link_purpose in ('verify', 'change_old', 'change_new')),
  -- The address that it was sent to.
  email_link_email text not null,
  -- Where it was asked from.
  email_link_address text not null,
  email_link_created_at timestamptz not null default now(),
  email_link_expires_at timestamptz not null,
  -- Used, or overtaken by a newer link, a change that was taken back, or another password.
  email_link_ended_at timestamptz
);
create index email_link_by_person on email_link (email_link_person, email_link_created_at);
create index email_link_by_address on email_link (email_link_address, email_link_created_at);
grant select, insert, update, delete on email_link to portcullis_system;

-- A change of e-mail that waits for both addresses.
create table email_change (
  email_change_person uuid primary key references person (person_id) on delete cascade,
  email_change_email text not null,
  email_change_old_confirmed_at timestamptz,
  email_change_new_confirmed_at timestamptz,
  email_change_created_at timestamptz not null default now(),
  email_change_expires_at timestamptz not null
);
grant select, insert, update, delete on email_change to portcullis_system;

-- Whoever sets a password, and however: the links of before are dead, and nobody's change of e-mail goes on.
create or replace function person_password_changed() returns trigger language plpgsql as $$
begin
  update password_reset set password_reset_ended_at = now()
   where password_reset_person = new.person_id and password_reset_ended_at is null;
  update email_link set email_link_ended_at = now()
   where email_link_person = new.person_id and email_link_ended_at is null;
  delete from email_change where email_change_person = new.person_id;
  return null;
end $$;

-- Browsers in which somebody has signed in before, by the hash of a cookie.
create table known_device (
  known_device_token_hash bytea not null,
  known_device_person uuid not null references person (person_id) on delete cascade,
  known_device_used_at timestamptz not null default now(),
  primary key (known_device_token_hash, known_device_person)
);
create index known_device_by_person on known_device (known_device_person);
create index known_device_unused on known_device (known_device_used_at);
grant select, insert, update, delete on known_device to portcullis_system;

-- A try counts from its beginning, under each of its keys; a right one is taken out again.
alter table sign_in_failure add column sign_in_failure_try uuid;
create index sign_in_failure_oldest on sign_in_failure (sign_in_failure_at);
