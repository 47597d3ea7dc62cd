-- Documents of events are written once, never searched, and read whole: as json they are handed out as they came, where jsonb
-- would be put into words anew for every page.
alter table event alter column event_reasons drop default, alter column event_data drop default;
alter table event
  alter column event_reasons type json using event_reasons::json,
  alter column event_data type json using event_data::json;
alter table event alter column event_reasons set default '[]', alter column event_data set default '{}';
