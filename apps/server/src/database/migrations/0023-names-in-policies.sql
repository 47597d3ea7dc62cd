-- Policies in memory name users: a new name is a change of the policy of every account that has the user.
create or replace function person_told() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select membership_account, 'users', membership_user, 'save', old.person_name is distinct from new.person_name
      from membership
     where membership_user = new.person_id;
  return null;
end $$;
