-- A door that a user unlocks once is in the audit log, with the outcome. The entry is written when the command ends, by whichever
-- server learns of it, so the command holds the user as the entry names them; null for commands that another entry records.
alter table history drop constraint history_history_action_check;
alter table history add constraint history_history_action_check
  check (history_action in ('create', 'patch', 'delete', 'export', 'assume', 'leave', 'unlock'));
alter table unit_command add column unit_command_actor jsonb;
