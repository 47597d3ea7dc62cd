-- Puts an account, with all below it, below another one in the closure; the account's own row is changed by whoever asks. The
-- role that answers people may not take places in the tree away, so this does it for them: for accounts in their sight only, and
-- never in a circle. The tree is locked by then (lock-tree.ts), or two moves at a time could make one together.
create function move_account(moved int, below int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  visible int[] := nullif(current_setting('app.accounts', true), '')::int[];
begin
  if visible is null or not visible @> array[moved, below] then
    raise exception 'The account is not there.' using errcode = 'PC404';
  end if;
  if exists (select from account_closure where account_closure_ancestor = moved and account_closure_descendant = below) then
    raise exception 'An account does not lie below itself.' using errcode = 'PC422';
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
