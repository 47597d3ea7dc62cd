-- User groups that pass during a lockdown: decisions depend on plans, because configurations name these groups in holders.

alter table lockdown
  -- The groups, with their names, at the start.
  add column lockdown_may_pass jsonb not null default '[]';

drop trigger lockdown_plan_moved on lockdown_plan;
select announce_moves('lockdown_plan', 'lockdownPlans', true);
