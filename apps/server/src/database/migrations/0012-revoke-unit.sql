-- A revoked unit has no key. Runs as the role that may delete the key, on behalf of the user who revokes the unit.
create function revoke_unit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from unit_secret where unit_secret_unit = new.unit_id;
  delete from unit_enrolment where unit_enrolment_unit = new.unit_id;
  update unit_state
     set unit_state_desired_version = null, unit_state_fault = null, unit_state_rejection = null
   where unit_state_id = new.unit_id;
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function revoke_unit owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger unit_revoked after update of unit_enrolled_at on unit for each row
  when (old.unit_enrolled_at is not null and new.unit_enrolled_at is null)
  execute function revoke_unit();
comment on trigger unit_revoked on unit is 'Recorded: the key, the codes and the desired configuration of a revoked unit are deleted.';
