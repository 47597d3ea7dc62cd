-- Lists as people keep them: under a name, for themselves or for the account; and the columns that each last chose.

create table saved_view (
  saved_view_id uuid primary key,
  saved_view_account int not null references account (account_key) on delete cascade,
  saved_view_owner uuid not null references person (person_id) on delete cascade,
  saved_view_version int not null default 1,
  saved_view_list text not null,
  saved_view_name text not null,
  saved_view_query jsonb not null,
  saved_view_shared boolean not null,
  constraint saved_view_name_taken unique (saved_view_account, saved_view_list, saved_view_owner, saved_view_name)
);
create index saved_view_by_owner on saved_view (saved_view_owner);

alter table saved_view enable row level security;
alter table saved_view force row level security;
create policy saved_view_in_sight on saved_view to portcullis_web
  using (saved_view_account = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy saved_view_system on saved_view to portcullis_system using (true) with check (true);
grant select, insert, update, delete on saved_view to portcullis_web, portcullis_system;

-- Habits are the person's, not an account's: the role that answers people does not reach them, the calls do.
create table remembered_columns (
  remembered_columns_person uuid not null references person (person_id) on delete cascade,
  remembered_columns_list text not null,
  remembered_columns_keys text[] not null,
  primary key (remembered_columns_person, remembered_columns_list)
);
grant select, insert, update, delete on remembered_columns to portcullis_system;
