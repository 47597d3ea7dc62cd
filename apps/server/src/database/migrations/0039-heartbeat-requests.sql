-- The last heartbeat that a user requested of a unit, and the unit's answer.
alter table unit_state
  add column unit_state_heartbeat_request uuid,
  add column unit_state_heartbeat_requested_at timestamptz,
  add column unit_state_heartbeat_answered_at timestamptz;
