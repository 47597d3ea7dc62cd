-- Rotation of the installation's secret key: what was made with the earlier keys and is still in use.
create table earlier_key (
  -- The public key with which configurations were signed.
  earlier_key_public bytea primary key,
  -- Its private part, encrypted under the current secret key; null once all units trust a later key, or an operator ended the wait.
  earlier_key_signing bytea,
  -- The key under which the recovery codes of that time are hashed, encrypted under the current secret key.
  earlier_key_recovery bytea not null,
  earlier_key_replaced_at timestamptz not null default now()
);
alter table earlier_key enable row level security;
create policy earlier_key_system on earlier_key to portcullis_system using (true) with check (true);
grant select, insert, update on earlier_key to portcullis_system;

grant update on installation to portcullis_system;

-- The signing key that the unit is known to trust; null: no key was rotated since it enrolled.
alter table unit_secret add column unit_secret_server_key bytea;
