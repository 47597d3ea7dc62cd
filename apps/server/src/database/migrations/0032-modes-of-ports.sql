-- A door number on a unit that a door with a mode has left. The unit returns it to normal, and the version of the next mode there
-- is higher, so that no mode of an earlier door can stay or come back.
create table free_port (
  free_port_unit uuid not null references unit (unit_id) on delete cascade,
  free_port_number int not null,
  -- The door that has left, if the server has it; it need not exist.
  free_port_door uuid,
  free_port_mode_version int not null,
  -- The version that the controller has confirmed.
  free_port_applied_mode_version int not null default 0,
  primary key (free_port_unit, free_port_number)
);
grant select, insert, update, delete on free_port to portcullis_system;

-- The role that answers users cannot see free ports.
create function door_takes_port() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last_version int;
begin
  delete from free_port where free_port_unit = new.door_unit and free_port_number = new.door_unit_door
    returning free_port_mode_version into last_version;
  if last_version is not null or (tg_op = 'UPDATE' and new.door_mode_version > 0) then
    new.door_mode_version := greatest(new.door_mode_version, last_version) + 1;
    new.door_mode_set_at := now();
  end if;
  return new;
end $$;

create function door_leaves_port() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into free_port (free_port_unit, free_port_number, free_port_door, free_port_mode_version)
    values (old.door_unit, old.door_unit_door, old.door_id, old.door_mode_version + 1)
    -- A report of the unit may have stored the port as free while the door took it.
    on conflict (free_port_unit, free_port_number) do update set free_port_door = excluded.free_port_door,
      free_port_mode_version = greatest(free_port.free_port_mode_version + 1, excluded.free_port_mode_version);
  return null;
end $$;

grant create on schema public to portcullis_system;
alter function door_takes_port owner to portcullis_system;
alter function door_leaves_port owner to portcullis_system;
revoke create on schema public from portcullis_system;

create trigger door_inserted_takes_port before insert on door for each row
  when (new.door_unit is not null and new.door_unit_door is not null) execute function door_takes_port();
comment on trigger door_inserted_takes_port on door is
  'Derived: the version of a mode is above that of every earlier mode of the port, and portcullis_web cannot see free ports.';
create trigger door_moved_takes_port before update of door_unit, door_unit_door on door for each row
  when (new.door_unit is not null and new.door_unit_door is not null
    and (old.door_unit, old.door_unit_door) is distinct from (new.door_unit, new.door_unit_door))
  execute function door_takes_port();
comment on trigger door_moved_takes_port on door is
  'Derived: the version of a mode is above that of every earlier mode of the port, and portcullis_web cannot see free ports.';
create trigger door_deleted_leaves_port after delete on door for each row
  when (old.door_unit is not null and old.door_unit_door is not null and old.door_mode_version > 0)
  execute function door_leaves_port();
comment on trigger door_deleted_leaves_port on door is
  'Derived: the port stays known until another door takes it, and portcullis_web cannot write free ports.';
create trigger door_moved_leaves_port after update of door_unit, door_unit_door on door for each row
  when (old.door_unit is not null and old.door_unit_door is not null and old.door_mode_version > 0
    and (old.door_unit, old.door_unit_door) is distinct from (new.door_unit, new.door_unit_door))
  execute function door_leaves_port();
comment on trigger door_moved_leaves_port on door is
  'Derived: the port stays known until another door takes it, and portcullis_web cannot write free ports.';
