-- minimum version: 25

-- Numbers of QR codes and phones are secrets (decision 0112): `credential_number` has their mask, and this table the number
-- itself, encrypted, with a keyed hash to find it by. Rows of deleted credentials stay, so that a deletion can be undone.
create table sealed_number (
  sealed_number_credential uuid primary key,
  sealed_number_account int not null,
  sealed_number_hash bytea not null,
  sealed_number_value bytea not null,
  sealed_number_deleted_at timestamptz
);
create unique index sealed_number_taken on sealed_number (sealed_number_account, sealed_number_hash)
  where sealed_number_deleted_at is null;
-- Users read by hash, and never the encrypted value.
select guard_by_account('sealed_number', 'insert, update, delete');
grant select (sealed_number_credential, sealed_number_account, sealed_number_hash, sealed_number_deleted_at)
  on sealed_number to portcullis_web;

-- Masks are no longer unique.
alter table credential drop constraint credential_number_taken;
create unique index credential_number_taken on credential (credential_account, credential_number)
  where credential_kind in ('card', 'iButton');
create index credential_by_mask on credential (credential_account, credential_number)
  where credential_kind in ('qr', 'mobile');

-- Whether the server has sealed the numbers that earlier versions stored: the database has no key to do it.
alter table installation add column installation_numbers_sealed boolean not null default false;
grant update (installation_numbers_sealed) on installation to portcullis_system;
