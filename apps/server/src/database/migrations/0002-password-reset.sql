-- Links that set a new password. The database knows a link by the hash of its token; rows stay for a while after their end,
-- for they are counted against floods of mail.

create table password_reset (
  password_reset_token_hash bytea primary key,
  password_reset_person uuid not null references person (person_id) on delete cascade,
  password_reset_address text not null,
  password_reset_created_at timestamptz not null default now(),
  password_reset_expires_at timestamptz not null,
  -- Used, or overtaken by a newer link or another new password.
  password_reset_ended_at timestamptz
);
create index password_reset_by_person on password_reset (password_reset_person, password_reset_created_at);
create index password_reset_by_address on password_reset (password_reset_address, password_reset_created_at);
grant select, insert, update, delete on password_reset to portcullis_system;

-- Whoever sets a password, and however: the links of before are dead.
create function person_password_changed() returns trigger language plpgsql as $$
begin
  update password_reset set password_reset_ended_at = now()
   where password_reset_person = new.person_id and password_reset_ended_at is null;
  return null;
end $$;
create trigger person_password_changed after update of person_password_hash on person for each row
  when (new.person_password_hash is distinct from old.person_password_hash)
  execute function person_password_changed();
