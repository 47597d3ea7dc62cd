-- A note to the decision about a request.
alter table task add column task_note text;
