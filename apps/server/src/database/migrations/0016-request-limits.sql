-- Requests at doors are counted by user across all accounts.
create index history_of_requests on history (history_actor, history_at desc)
  where history_collection = 'tasks' and history_action = 'create';
