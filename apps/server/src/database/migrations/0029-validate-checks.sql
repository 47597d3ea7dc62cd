-- Checks whose values were extended by 0020 and 0028 without looking at the stored rows (decision 0082).
alter table event validate constraint event_event_type_check;
alter table unit_state validate constraint unit_state_unit_state_fault_check;
