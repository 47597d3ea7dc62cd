-- The audit log: history as a collection. Who acted, and in the place of which account, is told as it was then: people
-- are renamed, and an assumed account may be out of sight for who reads the log.

alter table history add column history_actor_name text;
alter table history add column history_assumed_account_id uuid;

-- The owner of the tables passes no lock, the role of the jobs does.
set local role portcullis_system;
update history set history_actor_name = person_name from person where person_id = history_actor;
reset role;

drop index history_by_account;
create index history_newest on history (history_account, history_at desc, history_id desc);
create index history_of_collection on history (history_account, history_collection, history_at desc);
create index history_by_actor on history (history_account, history_actor, history_at desc);
create index history_by_action on history (history_account, history_action, history_at desc);

create view audit_log with (security_invoker = true) as
  select history_id as audit_log_id, history_account as audit_log_account, history_collection as audit_log_collection,
         history_item as audit_log_item, history_action as audit_log_action, history_before as audit_log_before,
         history_after as audit_log_after, history_actor as audit_log_actor, history_actor_name as audit_log_actor_name,
         history_assumed_account_id as audit_log_assumed_account, history_at as audit_log_at,
         history_request as audit_log_request_id, history_policy_version as audit_log_policy_version
    from history;
grant select on audit_log to portcullis_web, portcullis_system;
