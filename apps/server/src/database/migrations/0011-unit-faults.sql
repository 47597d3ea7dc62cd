-- Faults of single units: one does not stop the others of its account tree.
alter table unit_state
  -- Why the server has no current configuration for the unit; null: it has one.
  add column unit_state_fault text check (unit_state_fault in ('not_compiled', 'implausible_version')),
  -- A controller whose clock was reset to 1970 is ahead or behind by more milliseconds than an int holds.
  alter column unit_state_clock_offset_ms type bigint;

create index unit_state_faults on unit_state (unit_state_fault) where unit_state_fault is not null;

-- The version up to which all units of the tree are compiled, apart from those with a fault.
alter table policy add column policy_compiled_version bigint not null default 0;
update policy set policy_compiled_version = policy_version;
