-- What is wanted of a door besides its schedule, and what its controller has confirmed of it.
alter table door
  add column door_mode_until timestamptz,
  add column door_mode_version int not null default 0,
  add column door_mode_set_at timestamptz;

alter table door_state
  add column door_state_applied_mode_version int not null default 0,
  add column door_state_mode_sent_at timestamptz,
  add column door_state_mode_applied_at timestamptz;

-- Whoever looks for what its units have to be told of.
create index door_with_mode on door (door_unit) where door_mode_version > 0;
