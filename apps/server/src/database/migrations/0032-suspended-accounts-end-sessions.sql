-- Who is left with no membership that counts when an account is suspended is disabled, as by the end of the last one: their
-- sessions end with it. Roles that are held above go on, and so do the sessions of those who hold one.
create function account_suspension_ends_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set session_ended_at = now()
   where session_ended_at is null
     and session_person in (
       select membership_user from membership
         join account_closure on account_closure_descendant = membership_account
        where account_closure_ancestor = new.account_key)
     and not exists (select from person where person_id = session_person and person_hyper)
     and not exists (
       select from membership
        where membership_user = session_person and membership_status = 'active'
          and not exists (select from account_closure upward
                            join account above on above.account_key = upward.account_closure_ancestor
                           where upward.account_closure_descendant = membership_account
                             and above.account_status = 'suspended'));
  return null;
end $$;
grant create on schema public to portcullis_system;
alter function account_suspension_ends_sessions owner to portcullis_system;
revoke create on schema public from portcullis_system;
create trigger account_suspension_ends_sessions after update of account_status on account for each row
  when (new.account_status = 'suspended' and old.account_status <> 'suspended')
  execute function account_suspension_ends_sessions();
