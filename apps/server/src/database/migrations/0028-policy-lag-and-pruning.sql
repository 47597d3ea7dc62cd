-- The policy of an account tree may be newer than the configurations of its units: then they are marked.
alter table unit_state
  drop constraint unit_state_unit_state_fault_check,
  add constraint unit_state_unit_state_fault_check
    check (unit_state_fault in ('not_compiled', 'implausible_version', 'behind_policy')) not valid,
  -- When the desired configuration last got a version above all that the unit reports.
  add column unit_state_raised_at timestamptz;

-- The version whose compilation the tree waits for, and since when.
alter table policy
  add column policy_awaited_version bigint,
  add column policy_awaited_at timestamptz;

-- Since when the unit has applied a later version; null: never. Configurations are pruned by this time.
alter table unit_config add column unit_config_replaced_at timestamptz;
