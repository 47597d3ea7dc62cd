-- What concerns the whole installation: the fingerprint of its secret key, so that no server starts with another one.
create table installation (
  installation_only boolean primary key default true check (installation_only),
  installation_key_fingerprint bytea not null
);
comment on table installation is 'Constrained: it has at most one row.';
alter table installation enable row level security;
create policy installation_system on installation to portcullis_system using (true) with check (true);
grant select, insert on installation to portcullis_system;
