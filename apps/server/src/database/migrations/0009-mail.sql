-- Mail, and the links in it.

-- Mail to be sent, written in the transaction that it is about. The content may hold a link that sets a password: only the
-- senders read it, and it is erased when the mail is sent or given up. `portcullis_web` may add mail to a person it sees, and
-- read none.
create table mail (
  mail_id uuid primary key,
  mail_person uuid not null references person (person_id) on delete cascade,
  mail_to_name text not null,
  mail_to_address text not null,
  mail_kind text not null check (mail_kind in (
    'reset', 'invitation', 'verification', 'email_change_old', 'email_change_new', 'password_changed', 'email_changed',
    'second_factor_on', 'second_factor_off', 'second_factor_reset', 'recovery_codes_renewed', 'recovery_code_used',
    'codes_locked')),
  -- What only this mail says, by its kind. Null once it is sent or given up.
  mail_content jsonb,
  mail_status text not null default 'waiting' check (mail_status in ('waiting', 'sent', 'kept', 'failed')),
  mail_attempts int not null default 0,
  mail_problem text,
  mail_created_at timestamptz not null default now(),
  -- When to try it next. While a server is sending it: when another may assume that the first has died.
  mail_due_at timestamptz not null default now(),
  mail_ended_at timestamptz
);
create index mail_due on mail (mail_due_at) where mail_status = 'waiting';
create index mail_newest on mail (mail_created_at desc, mail_id desc);
create index mail_by_person on mail (mail_person);
alter table mail enable row level security;
alter table mail force row level security;
create policy mail_added on mail for insert to portcullis_web
  with check (mail_status = 'waiting' and exists (select from person where person_id = mail_person));
create policy mail_system on mail to portcullis_system using (true) with check (true);
grant insert on mail to portcullis_web;
grant select, insert, update, delete on mail to portcullis_system;

-- Links that set a password, known by the hash of their token. Rows stay for a while after their end: they are counted to
-- limit floods of mail. An invitation sets the first password and proves the address that it was sent to; `portcullis_web`
-- creates it together with the user, and reads none.
create table password_reset (
  password_reset_token_hash bytea primary key,
  password_reset_person uuid not null references person (person_id) on delete cascade,
  password_reset_invites boolean not null default false,
  -- The address from which it was requested. An invitation has none.
  password_reset_address text,
  password_reset_created_at timestamptz not null default now(),
  password_reset_expires_at timestamptz not null,
  -- Used, or replaced by a newer link or another new password.
  password_reset_ended_at timestamptz
);
create index password_reset_by_person on password_reset (password_reset_person, password_reset_created_at);
create index password_reset_by_address on password_reset (password_reset_address, password_reset_created_at);
alter table password_reset enable row level security;
alter table password_reset force row level security;
create policy password_reset_system on password_reset to portcullis_system using (true) with check (true);
create policy password_reset_invitation on password_reset for insert to portcullis_web
  with check (password_reset_invites and exists (
    select from person where person_id = password_reset_person
       and person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[])));
grant insert on password_reset to portcullis_web;
grant select, insert, update, delete on password_reset to portcullis_system;

-- Links that confirm an email: the current one, or one side of a change.
create table email_link (
  email_link_token_hash bytea primary key,
  email_link_person uuid not null references person (person_id) on delete cascade,
  email_link_purpose text not null check (email_link_purpose in ('verify', 'change_old', 'change_new')),
  -- The email that it was sent to.
  email_link_email text not null,
  -- The address from which it was requested.
  email_link_address text not null,
  email_link_created_at timestamptz not null default now(),
  email_link_expires_at timestamptz not null,
  -- Used, or replaced by a newer link, a cancelled change, or another password.
  email_link_ended_at timestamptz
);
create index email_link_by_person on email_link (email_link_person, email_link_created_at);
create index email_link_by_address on email_link (email_link_address, email_link_created_at);
grant select, insert, update, delete on email_link to portcullis_system;

-- A change of email that waits until both addresses have confirmed it.
create table email_change (
  email_change_person uuid primary key references person (person_id) on delete cascade,
  email_change_email text not null,
  email_change_old_confirmed_at timestamptz,
  email_change_new_confirmed_at timestamptz,
  email_change_created_at timestamptz not null default now(),
  email_change_expires_at timestamptz not null
);
grant select, insert, update, delete on email_change to portcullis_system;

create function person_password_changed() returns trigger language plpgsql as $$
begin
  update password_reset set password_reset_ended_at = now()
   where password_reset_person = new.person_id and password_reset_ended_at is null;
  update email_link set email_link_ended_at = now()
   where email_link_person = new.person_id and email_link_ended_at is null;
  delete from email_change where email_change_person = new.person_id;
  return null;
end $$;
create trigger person_password_changed after update of person_password_hash on person for each row
  when (new.person_password_hash is distinct from old.person_password_hash)
  execute function person_password_changed();
comment on trigger person_password_changed on person is
  'Security: after a new password, however it was set, no earlier link and no change of email is valid.';
