-- no transaction
drop index concurrently if exists unit_state_online_until;
-- Every server looks for units whose server is gone, again and again.
create index concurrently unit_state_online_until on unit_state (unit_state_lease_until) where unit_state_status = 'online';
