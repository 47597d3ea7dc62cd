-- Policies read their own changes, which are few among those of events.
create index change_of_policy on change (change_xid, change_id) where change_is_policy;
