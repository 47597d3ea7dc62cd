-- Mail that is to be sent, written in the transaction of what it is about. What a mail says may hold a link that sets a
-- password: only the senders read it, and it is erased once the mail is sent or given up. Who answers people may add a
-- mail to somebody they see, and read none.

create table mail (
  mail_id uuid primary key,
  mail_person uuid not null references person (person_id) on delete cascade,
  mail_to_name text not null,
  mail_to_address text not null,
  mail_kind text not null,
  -- What only this mail says, by its kind. Null once it is sent or given up.
  mail_content jsonb,
  mail_status text not null default 'waiting' check (mail_status in ('waiting', 'sent', 'kept', 'failed')),
  mail_attempts int not null default 0,
  mail_problem text,
  mail_created_at timestamptz not null default now(),
  -- When it is tried, and while somebody sends it: when another may think that they have died.
  mail_due_at timestamptz not null default now(),
  mail_ended_at timestamptz
);
create index mail_due on mail (mail_due_at) where mail_status = 'waiting';
create index mail_newest on mail (mail_created_at desc, mail_id desc);
create index mail_by_person on mail (mail_person);

alter table mail enable row level security;
alter table mail force row level security;
create policy mail_added on mail for insert to portcullis_web
  with check (mail_status = 'waiting' and exists (select from person where person_id = mail_person));
create policy mail_system on mail to portcullis_system using (true) with check (true);
grant insert on mail to portcullis_web;
grant select, insert, update, delete on mail to portcullis_system;
