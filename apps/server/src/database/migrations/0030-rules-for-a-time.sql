-- When rules for a time begin and end, as moments that lists filter and sort by. Derived from the time box, so that whatever
-- writes a rule writes these. The contract's moments name their offset: what they mean hangs on no setting of a session.
create function moment_of(text) returns timestamptz
language sql immutable strict parallel safe set timezone to 'UTC' as 'select $1::timestamptz';

alter table rule
  add column rule_adhoc_from timestamptz generated always as (moment_of(rule_adhoc ->> 'from')) stored,
  add column rule_adhoc_until timestamptz generated always as (moment_of(rule_adhoc ->> 'until')) stored;
create index rule_for_a_time on rule (rule_account, rule_adhoc_until desc, rule_id desc) where rule_adhoc_until is not null;
