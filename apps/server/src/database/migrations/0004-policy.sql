-- Policy: who may pass where and when.

-- The policy version of each account tree: one step for each change of its policy. Its row is locked by the transaction that
-- takes the next version, so the order of versions is the order of commits.
create table policy (
  policy_root int primary key references account (account_key) on delete cascade,
  policy_version bigint not null
);
grant select, insert, update on policy to portcullis_web;
grant select, insert, update, delete on policy to portcullis_system;

-- Members of groups and subjects of rules: one row each, so that the change of one member is the change of one row
-- (decision 0012). `field` is the field of the owner that holds the link, `kind` what it points at.
create table link (
  link_account int not null references account (account_key),
  link_owner uuid not null,
  link_field text not null,
  link_kind text not null,
  link_target uuid not null,
  primary key (link_owner, link_field, link_kind, link_target)
);
create index link_by_target on link (link_target, link_field);
create index link_by_account on link (link_account);
select guard_by_account('link');

create table schedule (
  schedule_id uuid primary key,
  schedule_account int not null references account (account_key),
  schedule_version int not null default 1,
  schedule_created_at timestamptz not null default now(),
  schedule_updated_at timestamptz not null default now(),
  schedule_name text not null,
  schedule_windows jsonb not null,
  schedule_holiday_hours jsonb not null
);
create index schedule_by_account on schedule (schedule_account, schedule_id);
select guard_by_account('schedule');

create table holiday (
  holiday_id uuid primary key,
  holiday_account int not null references account (account_key),
  holiday_version int not null default 1,
  holiday_created_at timestamptz not null default now(),
  holiday_updated_at timestamptz not null default now(),
  holiday_name text not null,
  holiday_kind text not null check (holiday_kind in ('public', 'company', 'special')),
  holiday_dates jsonb not null,
  holiday_calendar text
);
create index holiday_by_account on holiday (holiday_account, holiday_id);
select guard_by_account('holiday');

-- The moments of the contract name their offset, so the result does not depend on a setting of the connection.
create function moment_of(text) returns timestamptz
language sql immutable strict parallel safe set timezone to 'UTC' as 'select $1::timestamptz';

create table rule (
  rule_id uuid primary key,
  rule_account int not null references account (account_key),
  rule_version int not null default 1,
  rule_created_at timestamptz not null default now(),
  rule_updated_at timestamptz not null default now(),
  rule_name text not null,
  rule_effect text not null check (rule_effect in ('allow', 'deny')),
  rule_schedule uuid references schedule (schedule_id),
  rule_direction text not null check (rule_direction in ('entry', 'exit', 'both')),
  rule_adhoc jsonb,
  -- The beginning and end of temporary access, for lists that filter and sort by them.
  rule_adhoc_from timestamptz generated always as (moment_of(rule_adhoc ->> 'from')) stored,
  rule_adhoc_until timestamptz generated always as (moment_of(rule_adhoc ->> 'until')) stored,
  rule_enabled boolean not null,
  rule_note text
);
create index rule_by_account on rule (rule_account, rule_id);
create index rule_by_schedule on rule (rule_schedule);
create index rule_for_a_time on rule (rule_account, rule_adhoc_until desc, rule_id desc) where rule_adhoc_until is not null;
select guard_by_account('rule');
