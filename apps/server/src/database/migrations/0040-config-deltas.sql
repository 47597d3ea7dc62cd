-- Which units apply deltas. Of each configuration: where its pieces are in the body, and its delta from another version.
alter table unit_state add column unit_state_takes_deltas boolean not null default false;
alter table unit_config
  add column unit_config_pieces jsonb,
  add column unit_config_base integer,
  add column unit_config_delta bytea;
