-- The formats of an account's cards, and the facility code and number printed on each card (decision 0155).

create table card_format (
  card_format_id uuid primary key,
  card_format_account int not null references account (account_key),
  card_format_version int not null default 1,
  card_format_created_at timestamptz not null default now(),
  card_format_updated_at timestamptz not null default now(),
  card_format_name text not null,
  card_format_layout text not null
);
create index card_format_by_account on card_format (card_format_account, card_format_id);
select guard_by_account('card_format');
select announce_moves('card_format', 'cardFormats', false);

alter table credential
  -- The name of a format, or the id of a format of the account. Null: only the number as read is known.
  add column credential_format text,
  add column credential_facility int,
  add column credential_printed text;
