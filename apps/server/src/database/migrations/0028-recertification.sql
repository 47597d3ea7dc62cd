-- Who is due for recertification: within an account all have the same period, so the order of their deadlines is the order in
-- which their days began. Whoever has no such day is due before all others.
--
-- Written as a case, for under row level security a coalesce is not known to tell nobody anything, and reaches no index.
create index membership_to_recertify on membership (membership_account,
    (case when membership_last_recertified_at is not null then membership_last_recertified_at
          when membership_valid_from is not null then membership_valid_from else '-infinity' end), membership_user)
  include (membership_valid_until) where membership_status = 'active';

-- Tells of a recertification in the events of the account, in the transaction that makes it: whoever answers people writes no
-- events otherwise, and this one only where they see the account.
create function tell_recertified(id uuid, account int, person uuid, data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into event (event_id, event_account, event_type, event_category, event_severity, event_user, event_occurred_at,
                     event_data)
    select id, membership_account, 'administration.recertified', 'administration', 'info', membership_user, now(), data
      from membership
     where membership_user = person and membership_account = account
       and account = any (nullif(current_setting('app.accounts', true), '')::int[])
$$;
grant create on schema public to portcullis_system;
alter function tell_recertified owner to portcullis_system;
revoke create on schema public from portcullis_system;
revoke execute on function tell_recertified from public;
grant execute on function tell_recertified to portcullis_web;
