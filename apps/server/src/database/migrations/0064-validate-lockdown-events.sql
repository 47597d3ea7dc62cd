alter table event validate constraint event_event_type_check;
