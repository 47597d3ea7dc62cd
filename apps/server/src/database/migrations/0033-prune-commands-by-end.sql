-- no transaction
drop index concurrently if exists unit_command_ended;
-- Housekeeping deletes the commands that ended first.
create index concurrently unit_command_ended on unit_command (unit_command_ended_at);
