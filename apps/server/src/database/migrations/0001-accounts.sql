-- Accounts, and what keeps one account's data from another's.
--
-- Two roles use this schema, and own nothing in it. `portcullis_web` answers users: row level security shows it only the
-- accounts set for its transaction, in `app.accounts`. `portcullis_system` serves the controller gateway, the jobs and the
-- sign-in, and sees every account. What a trigger may do, and the reason for each one, is in decision 0081.

-- Every table with the column `{table}_account` is guarded in one way: `portcullis_web` sees and writes only the rows of its
-- accounts, and of the privileges has those named here; `portcullis_system` has all. The subselect makes PostgreSQL read the
-- setting once per statement instead of once per row.
create function guard_by_account(guarded name, web_privileges text default 'select, insert, update, delete')
returns void language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('alter table %I enable row level security', guarded);
  execute format('alter table %I force row level security', guarded);
  execute format(
    'create policy %I on %I to portcullis_web using (%I = any ((select nullif(current_setting(''app.accounts'', true), '''')::int[])::int[]))',
    guarded || '_in_sight', guarded, guarded || '_account');
  execute format('create policy %I on %I to portcullis_system using (true) with check (true)', guarded || '_system', guarded);
  execute format('grant %s on %I to portcullis_web', web_privileges, guarded);
  execute format('grant select, insert, update, delete on %I to portcullis_system', guarded);
end $$;
revoke execute on function guard_by_account from public;

-- The tree of accounts ------------------------------------------------------------------------------------------------

create table account (
  account_id uuid primary key,
  -- Tables refer to an account by this number, which makes them and their indexes smaller.
  account_key int generated always as identity unique,
  -- An account belongs to itself, so that row level security guards it like everything else.
  account_account int not null,
  account_version int not null default 1,
  account_created_at timestamptz not null default now(),
  account_updated_at timestamptz not null default now(),
  account_ref text not null unique,
  account_name text not null,
  account_parent uuid references account (account_id),
  -- The uppermost account of its tree.
  account_root int not null,
  account_status text not null default 'active' check (account_status in ('active', 'suspended')),
  -- The brand of its mail and documents. Null: the brand of the account above.
  account_brand text check (account_brand in ('portcullis', 'acme', 'harbour')),
  account_default_time_zone text not null,
  account_recertify_every_days int,
  account_enforce_mfa boolean not null default false,
  check (account_account = account_key)
);
create index account_by_account on account (account_account, account_id);
create index account_by_parent on account (account_parent);
select guard_by_account('account');
grant usage on sequence account_account_key_seq to portcullis_web, portcullis_system;

-- Every pair of an account and one below it, and every account with itself at depth 0: "this account and all below" is one
-- join.
create table account_closure (
  account_closure_ancestor int not null references account (account_key) on delete cascade,
  account_closure_descendant int not null references account (account_key) on delete cascade,
  account_closure_depth int not null,
  primary key (account_closure_ancestor, account_closure_descendant)
);
create index account_closure_upward on account_closure (account_closure_descendant, account_closure_depth);
grant select, insert on account_closure to portcullis_web;
grant select, insert, update, delete on account_closure to portcullis_system;

-- The keys of deleted accounts. Only the two triggers below use it.
create table account_gone (
  account_gone_id uuid primary key,
  account_gone_key int not null
);

create function account_leaves() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into account_gone values (old.account_id, old.account_key) on conflict do nothing;
  return null;
end $$;
create trigger account_leaves after delete on account for each row execute function account_leaves();
comment on trigger account_leaves on account is
  'Derived: the key of a deleted account, under which its events and history stay stored.';

create function account_comes_back() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known int;
begin
  select account_gone_key into known from account_gone where account_gone_id = new.account_id;
  new.account_key := coalesce(known, new.account_key);
  return new;
end $$;
-- Triggers run in the order of their names: this one comes before account_enters_tree.
create trigger account_comes_back before insert on account for each row execute function account_comes_back();
comment on trigger account_comes_back on account is
  'Derived: a restored account has its previous key.';

create function account_enters_tree() returns trigger language plpgsql as $$
declare
  parent_key int;
  visible text := current_setting('app.accounts', true);
begin
  new.account_account := new.account_key;
  if new.account_parent is null then
    new.account_root := new.account_key;
  else
    select account_key, account_root into parent_key, new.account_root
      from account where account_id = new.account_parent;
    if parent_key is null then
      raise exception 'The parent account is not there.' using errcode = 'PC404';
    end if;
  end if;
  -- Users who see the parent see the new account, so the accounts of this transaction include it from here on.
  if coalesce(visible, '') <> '' then
    perform set_config('app.accounts', (visible::int[] || new.account_key)::text, true);
  end if;
  return new;
end $$;
create trigger account_enters_tree before insert on account for each row execute function account_enters_tree();
comment on trigger account_enters_tree on account is
  'Derived: its own account, and the root of its tree.';

create function account_joins_closure() returns trigger language plpgsql as $$
begin
  insert into account_closure values (new.account_key, new.account_key, 0);
  if new.account_parent is null then
    insert into policy values (new.account_key, 1);
  else
    insert into account_closure
      select account_closure_ancestor, new.account_key, account_closure_depth + 1
        from account_closure join account parent on parent.account_key = account_closure_descendant
       where parent.account_id = new.account_parent;
  end if;
  return null;
end $$;
create trigger account_joins_closure after insert on account for each row execute function account_joins_closure();
comment on trigger account_joins_closure on account is
  'Derived: the closure of the tree, and the first policy version of a new tree.';

-- Moves an account with all below it under another one in the closure; the caller updates the account's own row.
-- `portcullis_web` may not delete from the closure, so this function does it: only for accounts that the transaction sees,
-- and never in a circle. The caller has locked the tree (lock-tree.ts); otherwise two moves could form a circle together.
create function move_account(moved int, below int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  visible int[] := nullif(current_setting('app.accounts', true), '')::int[];
begin
  if visible is null or not visible @> array[moved, below] then
    raise exception 'The account is not there.' using errcode = 'PC404';
  end if;
  if exists (select from account_closure where account_closure_ancestor = moved and account_closure_descendant = below) then
    raise exception 'An account does not lie below itself.' using errcode = 'PC422', constraint = 'account_below_itself';
  end if;
  delete from account_closure
   where account_closure_descendant in (select account_closure_descendant from account_closure
                                         where account_closure_ancestor = moved)
     and account_closure_ancestor in (select account_closure_ancestor from account_closure
                                       where account_closure_descendant = moved and account_closure_depth > 0);
  insert into account_closure
    select above.account_closure_ancestor, under.account_closure_descendant,
           above.account_closure_depth + under.account_closure_depth + 1
      from account_closure above, account_closure under
     where above.account_closure_descendant = below and under.account_closure_ancestor = moved;
end $$;
revoke execute on function move_account from public;
grant execute on function move_account to portcullis_web;

-- The picture of an account, scaled and encoded by the server: nothing of the uploaded file is kept. The tag identifies the
-- content, so that browsers can ask whether their copy is still current.
create table account_image (
  account_image_account int primary key references account (account_key) on delete cascade,
  account_image_tag text not null,
  account_image_bytes bytea not null check (octet_length(account_image_bytes) <= 262144)
);
select guard_by_account('account_image');
