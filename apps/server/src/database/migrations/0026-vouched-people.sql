-- A hyper user may give somebody whom they create a first password, and answer for their e-mail. The role that answers people
-- may otherwise touch neither.
create function vouch_for(somebody uuid, home int, hash text, is_verified boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Created in this transaction, and by nobody before.
  update person set person_password_hash = hash, person_verified = is_verified
   where person_id = somebody and person_home = home and person_created_at = now() and person_password_hash is null;
end $$;
grant create on schema public to portcullis_system;
alter function vouch_for owner to portcullis_system;
revoke create on schema public from portcullis_system;
revoke execute on function vouch_for from public;
grant execute on function vouch_for to portcullis_web;
