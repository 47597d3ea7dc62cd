-- The state of a door or of a unit belongs to the account that these belong to: who sees the one sees the other. Only the
-- role of the jobs changes states, whoever moves the door.

create function state_moved_along() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('update %1$I set %2$I = $1 where %3$I = $2',
    tg_table_name || '_state', tg_table_name || '_state_account', tg_table_name || '_state_id')
    using (to_jsonb(new) ->> (tg_table_name || '_account'))::int, (to_jsonb(new) ->> (tg_table_name || '_id'))::uuid;
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function state_moved_along owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger door_state_moved_along after update of door_account on door for each row
  when (old.door_account <> new.door_account) execute function state_moved_along();
create trigger unit_state_moved_along after update of unit_account on unit for each row
  when (old.unit_account <> new.unit_account) execute function state_moved_along();
