-- What the desired configuration of a unit leaves out, because the unit has no room for it; null: nothing.
alter table unit_state add column unit_state_left_out jsonb;
