-- The conditions of a controller (decision 0123): when each began, and when one that is measured was last observed.
alter table unit_state
  add column unit_state_out_of_sync_since timestamptz,
  -- Whether its beginning is an event.
  add column unit_state_out_of_sync_reported boolean not null default false,
  add column unit_state_clock_wrong_since timestamptz,
  add column unit_state_clock_wrong_seen_at timestamptz,
  add column unit_state_capacity_exceeded_since timestamptz,
  add column unit_state_capacity_exceeded_seen_at timestamptz,
  add column unit_state_tampered_since timestamptz,
  add column unit_state_on_battery_since timestamptz;

-- Every server looks for controllers that have come out of sync or back into sync, again and again. A row of each
-- controller is read in a moment.
create index unit_state_sync_changes on unit_state (unit_state_id) where
  (unit_state_fault is not null or (unit_state_desired_version is not null
    and unit_state_desired_version is distinct from unit_state_applied_version))
    <> (unit_state_out_of_sync_since is not null)
  or (unit_state_out_of_sync_since is not null and not unit_state_out_of_sync_reported);

-- Existing rows hold fewer types, so the constraint is not checked against them here (decision 0082).
alter table event drop constraint event_event_type_check, add constraint event_event_type_check check (event_type in (
    'access.granted', 'access.denied', 'access.remote_requested', 'access.remote_granted', 'access.remote_denied',
    'access.remote_expired',
    'door.opened', 'door.closed', 'door.forced', 'door.held', 'door.restored', 'door.exit_requested', 'door.unlocked_once',
    'door.mode_changed',
    'unit.enrolled', 'unit.online', 'unit.offline', 'unit.power_on', 'unit.clock_wrong', 'unit.clock_right',
    'unit.out_of_sync', 'unit.in_sync', 'unit.capacity_exceeded', 'unit.capacity_restored', 'unit.tamper',
    'unit.tamper_ended', 'unit.on_battery', 'unit.on_mains', 'unit.sync_started', 'unit.sync_ok', 'unit.sync_failed',
    'unit.log_gap', 'unit.unreadable_record', 'unit.refused',
    'administration.signed_in', 'administration.sign_in_failed', 'administration.second_factor_on',
    'administration.second_factor_off', 'administration.second_factor_reset', 'administration.recovery_codes_renewed',
    'administration.recovery_code_used', 'administration.password_changed', 'administration.password_reset',
    'administration.email_changed', 'administration.exported', 'administration.recertified',
    'administration.refused')) not valid;
