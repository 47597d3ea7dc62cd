-- A door can stand unlocked while a schedule is open (decision 0149).
alter table door add column door_unlock_schedule uuid references schedule (schedule_id);
create index door_by_unlock_schedule on door (door_unlock_schedule) where door_unlock_schedule is not null;
