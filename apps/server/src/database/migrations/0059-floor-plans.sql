-- Plans of the floors of a site, with doors and controllers at their places.

create table floor_plan (
  floor_plan_id uuid primary key,
  -- The account of the site, with which the plan moves.
  floor_plan_account int not null references account (account_key),
  floor_plan_version int not null default 1,
  floor_plan_created_at timestamptz not null default now(),
  floor_plan_updated_at timestamptz not null default now(),
  floor_plan_name text not null,
  floor_plan_site uuid not null references site (site_id),
  -- Items that were deleted or moved keep their places.
  floor_plan_placements jsonb not null,
  -- What identifies the image, and its size.
  floor_plan_image jsonb
);
create index floor_plan_by_account on floor_plan (floor_plan_account, floor_plan_id);
create index floor_plan_by_site on floor_plan (floor_plan_site);
select guard_by_account('floor_plan');
select announce_moves('floor_plan', 'floorPlans', false);

-- The images, scaled and encoded by the server: nothing of the uploaded files is kept. In a table of their own, so that lists
-- never read them.
create table floor_plan_image (
  floor_plan_image_id uuid primary key references floor_plan (floor_plan_id) on delete cascade,
  floor_plan_image_account int not null references account (account_key),
  floor_plan_image_tag text not null,
  floor_plan_image_bytes bytea not null check (octet_length(floor_plan_image_bytes) <= 16777216)
);
create index floor_plan_image_by_account on floor_plan_image (floor_plan_image_account);
select guard_by_account('floor_plan_image');
