-- What a unit can hold, as it said at its last hello; what the configuration that it should have takes of it; how long the
-- latest live event was on its way, and how far the events have come that it kept while it was away.
alter table unit_state
  add column unit_state_capacity jsonb,
  add column unit_state_config_size jsonb,
  add column unit_state_event_delay_ms int,
  add column unit_state_backfilled_up_to timestamptz;

-- People of many accounts in the order of their names.
create index person_by_name on person (person_name, person_id);
