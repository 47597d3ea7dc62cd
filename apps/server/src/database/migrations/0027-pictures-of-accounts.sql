-- The picture of an account, already small and written anew by the server: nothing of what was uploaded is kept. The tag stands
-- for its content, for browsers to ask whether theirs is still the one.
create table account_image (
  account_image_account int primary key references account (account_key) on delete cascade,
  account_image_tag text not null,
  account_image_bytes bytea not null check (octet_length(account_image_bytes) <= 262144)
);
alter table account_image enable row level security;
alter table account_image force row level security;
create policy account_image_in_sight on account_image to portcullis_web
  using (account_image_account = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy account_image_system on account_image to portcullis_system using (true) with check (true);
grant select, insert, update, delete on account_image to portcullis_web, portcullis_system;
