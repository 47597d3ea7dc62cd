-- Guests: cardholders with temporary access, and with a code or a link of their own.

-- The user for whom the rule was made, if it is a guest.
alter table rule add column rule_guest uuid;

-- The link with which a guest opens doors, known by the hash of its token. It presents the credential.
create table guest_link (
  guest_link_rule uuid primary key references rule (rule_id) on delete cascade,
  guest_link_account int not null references account (account_key),
  guest_link_credential uuid not null references credential (credential_id) on delete cascade,
  guest_link_token_hash bytea not null unique,
  guest_link_invited_by_name text not null,
  guest_link_created_at timestamptz not null default now()
);
create index guest_link_by_account on guest_link (guest_link_account);
create index guest_link_by_credential on guest_link (guest_link_credential);
select guard_by_account('guest_link');

-- The commands of one user, for the guest who presses twice.
create index unit_command_by_requester on unit_command (unit_command_requested_by, unit_command_door, unit_command_requested_at);

alter table mail drop constraint mail_mail_kind_check;
alter table mail add constraint mail_mail_kind_check check (mail_kind in (
  'reset', 'invitation', 'verification', 'email_change_old', 'email_change_new', 'password_changed', 'email_changed',
  'second_factor_on', 'second_factor_off', 'second_factor_reset', 'recovery_codes_renewed', 'recovery_code_used',
  'codes_locked', 'guest_link', 'guest_code'));
