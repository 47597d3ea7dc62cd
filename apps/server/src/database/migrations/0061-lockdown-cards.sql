-- Credentials that start a lockdown, from the event until a server has started it. Their user may be deleted meanwhile.
-- One of a plan: further cards would start nothing else.
create table lockdown_card (
  lockdown_card_plan uuid primary key,
  lockdown_card_event uuid not null,
  lockdown_card_user uuid not null,
  lockdown_card_user_name text not null,
  lockdown_card_stored_at timestamptz not null default now()
);
grant select, insert, update, delete on lockdown_card to portcullis_system;
