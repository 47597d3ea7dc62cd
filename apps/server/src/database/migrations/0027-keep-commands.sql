-- A command stays when its door or unit is deleted: it ends with an audit log entry, and a late event still names its user.
alter table unit_command
  drop constraint unit_command_unit_command_unit_fkey,
  drop constraint unit_command_unit_command_door_fkey,
  drop constraint unit_command_unit_command_account_fkey,
  add constraint unit_command_unit_command_account_fkey
    foreign key (unit_command_account) references account (account_key) on delete cascade;
