-- All areas have passages, also those of one unit: the state of a site counts the users who are inside.

-- Where passage_direction is null because the passage was reported too late to deny anything.
alter table passage add column passage_late_direction text check (passage_late_direction in ('entry', 'exit'));

grant select (passage_area, passage_user, passage_direction, passage_late_direction, passage_at) on passage to portcullis_web;
alter table passage enable row level security;
alter table passage force row level security;
create policy passage_system on passage for all to portcullis_system using (true) with check (true);
create policy passage_in_sight on passage for select to portcullis_web
  using (passage_area in (select door_group_id from door_group));
