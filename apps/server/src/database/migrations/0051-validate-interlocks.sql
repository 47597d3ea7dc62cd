alter table event validate constraint event_event_reason_check;
