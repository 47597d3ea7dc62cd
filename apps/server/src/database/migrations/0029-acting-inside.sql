-- Hyper users say why they act inside an account: what was begun in which session, and when it ended; and with each change
-- that was made there, the reason.

create table assumption (
  -- As the entry in history that tells of its beginning.
  assumption_id uuid primary key,
  assumption_session uuid not null,
  assumption_person uuid not null references person (person_id) on delete cascade,
  -- Where the person stood, and the account below in which they act.
  assumption_from int not null,
  assumption_account int not null,
  assumption_reason text not null,
  assumption_address text,
  assumption_device text,
  assumption_since timestamptz not null default now(),
  assumption_until timestamptz not null,
  assumption_ended_at timestamptz
);
-- One of each session for each way down, however many tabs ask for it at once.
create unique index assumption_open on assumption (assumption_session, assumption_from, assumption_account)
  where assumption_ended_at is null;
create index assumption_of_session on assumption (assumption_session, assumption_from);
create index assumption_to_end on assumption (assumption_until) where assumption_ended_at is null;
grant select, insert, update, delete on assumption to portcullis_system;

alter table history add column history_assumption uuid;
alter table history add column history_reason text;
create index history_of_assumption on history (history_account, history_assumption, history_at desc)
  where history_assumption is not null;

create or replace view audit_log with (security_invoker = true) as
  select history_id as audit_log_id, history_account as audit_log_account, history_collection as audit_log_collection,
         history_item as audit_log_item, history_action as audit_log_action, history_before as audit_log_before,
         history_after as audit_log_after, history_actor as audit_log_actor, history_actor_name as audit_log_actor_name,
         history_assumed_account_id as audit_log_assumed_account, history_at as audit_log_at,
         history_request as audit_log_request_id, history_policy_version as audit_log_policy_version,
         history_undoes as audit_log_undoes, history_position as audit_log_position,
         history_assumption as audit_log_assumption, history_reason as audit_log_reason
    from history;
