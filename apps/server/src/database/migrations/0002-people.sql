-- People: who they are, what each account knows about them, and the credentials that they present at doors.

-- A person is one identity for all accounts. The identity belongs to its home account, the only one that may change it.
create table person (
  person_id uuid primary key,
  person_home int not null references account (account_key),
  person_name text not null,
  person_email text unique,
  person_img text,
  person_hyper boolean not null default false,
  person_verified boolean not null default false,
  person_idle_time int not null default 300,
  person_consent jsonb not null default '{}',
  person_password_hash text,
  person_created_at timestamptz not null default now()
);
-- Lists of users over many accounts, in the order of names.
create index person_by_name on person (person_name, person_id);

-- What one account knows about a person. An account sees the people who have a membership in it.
create table membership (
  membership_user uuid not null references person (person_id),
  membership_account int not null references account (account_key),
  membership_version int not null default 1,
  membership_created_at timestamptz not null default now(),
  membership_updated_at timestamptz not null default now(),
  membership_role text not null default 'appUser' check (membership_role in
    ('admin', 'accountManager', 'installer', 'accessManager', 'reportingUser', 'appUser')),
  membership_status text not null default 'active' check (membership_status in ('active', 'suspended')),
  membership_title text,
  membership_valid_from timestamptz,
  membership_valid_until timestamptz,
  membership_last_recertified_at timestamptz,
  primary key (membership_user, membership_account)
);
create index membership_by_account on membership (membership_account, membership_user);
-- Who is due for recertification. All members of an account have the same period, so the order of their deadlines is the
-- order in which their periods began; a user without a beginning is due first. Written as a case: a coalesce is not
-- leakproof, so row level security would not let it use an index.
create index membership_to_recertify on membership (membership_account,
    (case when membership_last_recertified_at is not null then membership_last_recertified_at
          when membership_valid_from is not null then membership_valid_from else '-infinity' end), membership_user)
  include (membership_valid_until) where membership_status = 'active';
select guard_by_account('membership');

alter table person enable row level security;
alter table person force row level security;
create policy person_in_sight on person for select to portcullis_web
  using (exists (select 1 from membership where membership_user = person_id));
-- A person whose last visible membership was removed must still be found, to be deleted.
create policy person_at_home on person for select to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_created on person for insert to portcullis_web
  with check (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_changed_at_home on person for update to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_removed_at_home on person for delete to portcullis_web
  using (person_home = any ((select nullif(current_setting('app.accounts', true), '')::int[])::int[]));
create policy person_system on person to portcullis_system using (true) with check (true);
-- Passwords, consent and the hyper flag are out of reach of the role that answers users.
grant select (person_id, person_home, person_name, person_email, person_img, person_hyper, person_verified,
              person_idle_time, person_created_at) on person to portcullis_web;
grant insert (person_id, person_home, person_name, person_email, person_idle_time) on person to portcullis_web;
grant update (person_name, person_email, person_idle_time) on person to portcullis_web;
grant delete on person to portcullis_web;
grant select, insert, update, delete on person to portcullis_system;

-- The collection of users: a person as one account sees them. Its triggers make it writable like a table (decision 0013).
create view "user" with (security_invoker = true) as
  select person_id as user_id, membership_account as user_account, membership_version as user_version,
         membership_created_at as user_created_at, membership_updated_at as user_updated_at,
         person_name as user_name, person_email as user_email, person_img as user_img, person_hyper as user_hyper,
         person_verified as user_verified, person_idle_time as user_idle_time,
         membership_role as user_role, membership_status as user_status, membership_title as user_title,
         membership_valid_from as user_valid_from, membership_valid_until as user_valid_until,
         membership_last_recertified_at as user_last_recertified_at
    from membership join person on person_id = membership_user;
grant select, insert, update, delete on "user" to portcullis_web, portcullis_system;

-- A restored user may still have an identity, known in other accounts: then only the membership is created.
create function user_created() returns trigger language plpgsql as $$
begin
  insert into person (person_id, person_home, person_name, person_email, person_idle_time)
    values (new.user_id, new.user_account, new.user_name, new.user_email, coalesce(new.user_idle_time, 300))
    on conflict (person_id) do nothing;
  insert into membership (membership_user, membership_account, membership_version, membership_role, membership_status,
                          membership_title, membership_valid_from, membership_valid_until,
                          membership_last_recertified_at)
    values (new.user_id, new.user_account, coalesce(new.user_version, 1), coalesce(new.user_role, 'appUser'),
            coalesce(new.user_status, 'active'), new.user_title, new.user_valid_from, new.user_valid_until,
            coalesce(new.user_last_recertified_at, now()));
  return new;
end $$;
create trigger user_created instead of insert on "user" for each row execute function user_created();
comment on trigger user_created on "user" is
  'Writable view: a user is an identity and a membership.';

create function user_changed() returns trigger language plpgsql as $$
begin
  if (new.user_name, new.user_email, new.user_idle_time) is distinct from
     (old.user_name, old.user_email, old.user_idle_time) then
    update person set person_name = new.user_name, person_email = new.user_email,
                      person_idle_time = new.user_idle_time
     where person_id = old.user_id and person_home = old.user_account;
    if not found then
      raise exception 'home_account_only' using errcode = 'PC422', constraint = 'home_account_only';
    end if;
  end if;
  update membership set membership_version = new.user_version, membership_updated_at = new.user_updated_at,
         membership_role = new.user_role, membership_status = new.user_status, membership_title = new.user_title,
         membership_valid_from = new.user_valid_from, membership_valid_until = new.user_valid_until,
         membership_last_recertified_at = new.user_last_recertified_at
   where membership_user = old.user_id and membership_account = old.user_account
     and membership_version = old.user_version;
  if not found then return null; end if;
  return new;
end $$;
create trigger user_changed instead of update on "user" for each row execute function user_changed();
comment on trigger user_changed on "user" is
  'Writable view: only the home account changes the identity, any other account only its membership.';

create function user_removed() returns trigger language plpgsql as $$
begin
  delete from membership where membership_user = old.user_id and membership_account = old.user_account;
  -- Memberships in accounts that this transaction does not see keep the identity; only the foreign key shows it.
  begin
    delete from person where person_id = old.user_id and person_home = old.user_account;
  exception when foreign_key_violation then null;
  end;
  return old;
end $$;
create trigger user_removed instead of delete on "user" for each row execute function user_removed();
comment on trigger user_removed on "user" is
  'Writable view: the membership ends, and the identity with the last one.';

-- A hyper user may set the first password of a user whom they create, and vouch for the email. `portcullis_web` may
-- otherwise touch neither; here only for a person created in the same transaction.
create function vouch_for(new_person uuid, home int, hash text, is_verified boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update person set person_password_hash = hash, person_verified = is_verified
   where person_id = new_person and person_home = home and person_created_at = now() and person_password_hash is null;
end $$;
grant create on schema public to portcullis_system;
alter function vouch_for owner to portcullis_system;
revoke create on schema public from portcullis_system;
revoke execute on function vouch_for from public;
grant execute on function vouch_for to portcullis_web;

-- Groups, credentials, and what else an account keeps about people ------------------------------------------------------

create table user_group (
  user_group_id uuid primary key,
  user_group_account int not null references account (account_key),
  user_group_version int not null default 1,
  user_group_created_at timestamptz not null default now(),
  user_group_updated_at timestamptz not null default now(),
  user_group_name text not null
);
create index user_group_by_account on user_group (user_group_account, user_group_id);
select guard_by_account('user_group');

create table credential (
  credential_id uuid primary key,
  credential_account int not null references account (account_key),
  credential_version int not null default 1,
  credential_created_at timestamptz not null default now(),
  credential_updated_at timestamptz not null default now(),
  credential_kind text not null check (credential_kind in ('card', 'iButton', 'qr', 'mobile')),
  credential_number text not null,
  credential_user uuid,
  credential_status text not null check (credential_status in ('active', 'suspended', 'lost', 'stolen', 'revoked')),
  credential_valid_from timestamptz,
  credential_valid_until timestamptz,
  constraint credential_number_taken unique (credential_account, credential_number),
  foreign key (credential_user, credential_account) references membership (membership_user, membership_account)
);
create index credential_by_account on credential (credential_account, credential_id);
create index credential_by_user on credential (credential_user);
select guard_by_account('credential');

create table meta_data_template (
  meta_data_template_id uuid primary key,
  meta_data_template_account int not null references account (account_key),
  meta_data_template_version int not null default 1,
  meta_data_template_created_at timestamptz not null default now(),
  meta_data_template_updated_at timestamptz not null default now(),
  meta_data_template_name text not null,
  meta_data_template_fields jsonb not null
);
create index meta_data_template_by_account on meta_data_template (meta_data_template_account, meta_data_template_id);
select guard_by_account('meta_data_template');

-- An identity provider, by which the people of an account may sign in.
create table tenant (
  tenant_id uuid primary key,
  tenant_account int not null references account (account_key),
  tenant_version int not null default 1,
  tenant_created_at timestamptz not null default now(),
  tenant_updated_at timestamptz not null default now(),
  tenant_name text not null,
  tenant_provider text not null check (tenant_provider in ('oidc', 'saml')),
  tenant_enabled boolean not null
);
create index tenant_by_account on tenant (tenant_account, tenant_id);
select guard_by_account('tenant');

-- Someone to reach when something happens; not necessarily a user.
create table contact (
  contact_id uuid primary key,
  contact_account int not null references account (account_key),
  contact_version int not null default 1,
  contact_created_at timestamptz not null default now(),
  contact_updated_at timestamptz not null default now(),
  contact_name text not null,
  contact_email text,
  contact_phone text,
  contact_note text,
  contact_notify jsonb not null
);
create index contact_by_account on contact (contact_account, contact_id);
select guard_by_account('contact');

-- Lists as users keep them under a name, for themselves or for the whole account.
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
select guard_by_account('saved_view');

-- The columns in which a user last left a list, in every account. Row level security knows no "own": `portcullis_web` has no
-- access, the calls check it.
create table remembered_columns (
  remembered_columns_person uuid not null references person (person_id) on delete cascade,
  remembered_columns_list text not null,
  remembered_columns_keys text[] not null,
  primary key (remembered_columns_person, remembered_columns_list)
);
grant select, insert, update, delete on remembered_columns to portcullis_system;
