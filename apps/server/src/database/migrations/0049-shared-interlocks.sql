-- What units have last reported of their doors that share an interlock with doors of other units. Without a row it is not known
-- whether the door is closed, and the others stay locked.
create table interlock_state (
  interlock_state_door uuid primary key references door (door_id) on delete cascade,
  -- Counts only while the door is wired to this unit.
  interlock_state_unit uuid not null references unit (unit_id) on delete cascade,
  -- Closed and locked; false also from the moment in which the server lets the unit release the lock.
  interlock_state_is_secure boolean not null
);
create index interlock_state_by_unit on interlock_state (interlock_state_unit);
grant select, insert, update, delete on interlock_state to portcullis_system;

create function interlock_begins() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from interlock_state where interlock_state_door in (
    select link_target from link where link_owner = new.link_owner and link_field = 'doors');
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function interlock_begins owner to portcullis_system;
revoke create on schema public from portcullis_system;

create trigger interlock_began after insert on link for each row
  when (new.link_field = 'doors' and new.link_kind = 'doors') execute function interlock_begins();
comment on trigger interlock_began on link is
  'Derived: what units have reported before a door entered their interlock does not count, and portcullis_web cannot delete it.';

alter table unit_state
  -- The nonce of the last hello: what an earlier connection has sent about interlocks no longer counts.
  add column unit_state_connection text;

-- Existing rows hold fewer values, so the constraint is not checked against them here (decision 0082).
alter table event drop constraint event_event_reason_check, add constraint event_event_reason_check check (event_reason in (
    'door_unknown', 'door_disabled', 'unit_out_of_service', 'door_locked_down', 'door_blocked', 'credential_unknown',
    'card_required', 'credential_unassigned', 'credential_suspended', 'credential_lost', 'credential_stolen',
    'credential_revoked', 'not_yet_valid', 'expired', 'holder_inactive', 'recertification_overdue', 'denied_by_rule',
    'no_access', 'outside_schedule', 'holiday_closed', 'adhoc_not_started', 'adhoc_ended', 'interlock', 'interlock_unavailable',
    'antipassback', 'first_person_absent', 'pin_required', 'pin_invalid', 'pin_locked', 'second_person_required',
    'second_person_absent', 'remote_approval_required', 'remote_denied', 'remote_timeout', 'remote_unavailable', 'unit_out_of_step')) not valid;
