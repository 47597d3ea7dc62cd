-- PIN, second person, first person and anti-passback are settings of doors and door groups; a PIN is a credential.
alter table door
  add column door_requires_pin boolean not null default false,
  add column door_accepts_pin_alone boolean not null default false,
  add column door_requires_two_persons boolean not null default false,
  add column door_first_person_group uuid references user_group (user_group_id);
create index door_by_first_person_group on door (door_first_person_group) where door_first_person_group is not null;

alter table door_group
  add column door_group_anti_passback jsonb,
  add column door_group_forgiven_all_at timestamptz,
  add column door_group_forgiven_at jsonb not null default '{}';

-- Existing rows hold fewer values, so the constraints are not checked against them here (decision 0082).
alter table credential
  add column credential_duress boolean not null default false,
  drop constraint credential_credential_kind_check,
  add constraint credential_credential_kind_check
    check (credential_kind in ('card', 'pin', 'iButton', 'qr', 'mobile')) not valid;
alter table event drop constraint event_event_reason_check, add constraint event_event_reason_check check (event_reason in (
    'door_unknown', 'door_disabled', 'unit_out_of_service', 'door_locked_down', 'door_blocked', 'credential_unknown',
    'card_required', 'credential_unassigned', 'credential_suspended', 'credential_lost', 'credential_stolen',
    'credential_revoked', 'not_yet_valid', 'expired', 'holder_inactive', 'recertification_overdue', 'denied_by_rule',
    'no_access', 'outside_schedule', 'holiday_closed', 'adhoc_not_started', 'adhoc_ended', 'interlock', 'antipassback',
    'first_person_absent', 'pin_required', 'pin_invalid', 'pin_locked', 'second_person_required', 'second_person_absent',
    'remote_approval_required', 'remote_denied', 'remote_timeout', 'remote_unavailable', 'unit_out_of_step')) not valid;
