-- Contacts, interlocks, templates of meta data, identity providers, saved reports, and what waits for a decision.

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

create table interlocking_group (
  interlocking_group_id uuid primary key,
  interlocking_group_account int not null references account (account_key),
  interlocking_group_version int not null default 1,
  interlocking_group_created_at timestamptz not null default now(),
  interlocking_group_updated_at timestamptz not null default now(),
  interlocking_group_name text not null
);
create index interlocking_group_by_account on interlocking_group (interlocking_group_account, interlocking_group_id);

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

create table tenant (
  tenant_id uuid primary key,
  tenant_account int not null references account (account_key),
  tenant_version int not null default 1,
  tenant_created_at timestamptz not null default now(),
  tenant_updated_at timestamptz not null default now(),
  tenant_name text not null,
  tenant_provider text not null,
  tenant_enabled boolean not null
);
create index tenant_by_account on tenant (tenant_account, tenant_id);

create table report (
  report_id uuid primary key,
  report_account int not null references account (account_key),
  report_version int not null default 1,
  report_created_at timestamptz not null default now(),
  report_updated_at timestamptz not null default now(),
  report_name text not null,
  report_filter jsonb not null
);
create index report_by_account on report (report_account, report_id);

-- Names stay what they were when it was asked; the task outlives the person and the door.
create table task (
  task_id uuid primary key,
  task_account int not null references account (account_key),
  task_type text not null,
  task_status text not null,
  task_user uuid not null,
  task_user_name text not null,
  task_door uuid not null,
  task_door_name text not null,
  task_site_name text not null,
  task_created_at timestamptz not null default now(),
  task_data jsonb not null
);
create index task_newest on task (task_account, task_created_at desc, task_id desc);
create index task_by_status on task (task_account, task_status, task_created_at desc);

do $$
declare
  scoped text;
begin
  foreach scoped in array array['contact', 'interlocking_group', 'meta_data_template', 'tenant', 'report', 'task'] loop
    execute format('alter table %I enable row level security', scoped);
    execute format('alter table %I force row level security', scoped);
    execute format(
      'create policy %I on %I to portcullis_web using (%I = any ((select nullif(current_setting(''app.accounts'', true), '''')::int[])::int[]))',
      scoped || '_in_sight', scoped, scoped || '_account');
    execute format('create policy %I on %I to portcullis_system using (true) with check (true)', scoped || '_system', scoped);
    execute format('grant select, insert, update, delete on %I to portcullis_web, portcullis_system', scoped);
  end loop;
end $$;
revoke insert, update, delete on task from portcullis_web;
