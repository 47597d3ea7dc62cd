alter table unit_state
  -- What the desired configuration of a unit leaves out, because the unit has no room for it; null: nothing.
  add column unit_state_left_out jsonb,
  -- The capacity for which it was compiled, to compare with the one that the unit reports; null: none.
  add column unit_state_compiled_capacity jsonb;
