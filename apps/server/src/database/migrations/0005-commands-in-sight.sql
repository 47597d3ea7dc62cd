-- Commands to doors are looked at by people too: under the same lock as everything that belongs to an account.

alter table unit_command enable row level security;
alter table unit_command force row level security;
create policy unit_command_in_sight on unit_command for select to portcullis_web
  using (unit_command_account = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy unit_command_system on unit_command to portcullis_system using (true) with check (true);
grant select on unit_command to portcullis_web;
