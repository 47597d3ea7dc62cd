-- The last passage of each user into or out of each anti-passback area whose doors belong to several units, which share it.
create table passage (
  -- The outbox names passages by it.
  passage_id uuid not null unique,
  passage_area uuid not null references door_group (door_group_id) on delete cascade,
  passage_user uuid not null references person (person_id) on delete cascade,
  -- Null: on which side the user is since then is unknown, because the passage was reported too late to deny anything.
  passage_direction text check (passage_direction in ('entry', 'exit')),
  -- By the server's clock.
  passage_at timestamptz not null,
  -- The unit at whose door it was.
  passage_unit uuid references unit (unit_id) on delete set null,
  passage_stored_at timestamptz not null default now(),
  primary key (passage_area, passage_user)
);
create index passage_by_time on passage (passage_area, passage_stored_at);
create index passage_by_user on passage (passage_user);
create index passage_by_unit on passage (passage_unit);
grant select, insert, update, delete on passage to portcullis_system;

create function anti_passback_ends() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from passage where passage_area = new.door_group_id;
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function anti_passback_ends owner to portcullis_system;
revoke create on schema public from portcullis_system;

create trigger anti_passback_ended after update of door_group_anti_passback on door_group for each row
  when (old.door_group_anti_passback is not null and new.door_group_anti_passback is null)
  execute function anti_passback_ends();
comment on trigger anti_passback_ended on door_group is
  'Derived: only areas with anti-passback have passages, and portcullis_web cannot write passages.';
