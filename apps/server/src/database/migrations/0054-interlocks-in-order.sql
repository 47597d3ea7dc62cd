-- Once for each statement (decision 0081). The rows are locked in the order of the doors, as in presence.ts and
-- shared-interlocks.ts, so that no two transactions wait for each other.
create or replace function interlock_begins() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from came where link_field = 'doors' and link_kind = 'doors') then
    delete from interlock_state where interlock_state_door in (
      select interlock_state_door from interlock_state where interlock_state_door in (
        select link_target from link where link_field = 'doors' and link_owner in (
          select link_owner from came where link_field = 'doors' and link_kind = 'doors'))
       order by interlock_state_door for update);
  end if;
  return null;
end $$;

drop trigger interlock_began on link;
create trigger interlock_began after insert on link referencing new table as came
  for each statement execute function interlock_begins();
comment on trigger interlock_began on link is
  'Derived: what units have reported before a door entered their interlock does not count, and portcullis_web cannot delete it.';
