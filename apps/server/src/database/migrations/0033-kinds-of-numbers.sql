-- An event says what bore the number that was presented; where it does not, nobody reads the number who may not see those of
-- iButtons. The newest are told it by their credential: where there are millions, to write all anew would take too long.
do $$
declare
  since timestamptz;
begin
  select min(moment) into since
    from (select event_occurred_at as moment from event order by event_occurred_at desc limit 50000) newest;
  -- Written out, for a planner that does not know the moment reads all months.
  execute format(
    'update event set event_data = (event_data::jsonb || jsonb_build_object(''kind'', credential_kind))::json
       from credential
      where credential_id = event_credential and event_occurred_at >= %L
        and event_data ->> ''number'' is not null and event_data ->> ''kind'' is null', since);
end $$;
