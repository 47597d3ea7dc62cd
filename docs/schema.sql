-- The schema that the migrations in apps/server/src/database/migrations make, read from the catalogue of a database. Written by
-- npm run schema: change the migrations instead.

create table account (
  account_id uuid not null,
  account_key integer generated always as identity not null,
  account_account integer not null,
  account_version integer default 1 not null,
  account_created_at timestamp with time zone default now() not null,
  account_updated_at timestamp with time zone default now() not null,
  account_ref text not null,
  account_name text not null,
  account_parent uuid,
  account_root integer not null,
  account_status text default 'active'::text not null,
  account_brand text,
  account_default_time_zone text not null,
  account_recertify_every_days integer,
  account_enforce_mfa boolean default false not null,
  constraint account_pkey PRIMARY KEY (account_id),
  constraint account_account_key_key UNIQUE (account_key),
  constraint account_account_parent_fkey FOREIGN KEY (account_parent) REFERENCES account(account_id),
  constraint account_account_ref_key UNIQUE (account_ref),
  constraint account_account_brand_check CHECK ((account_brand = ANY (ARRAY['portcullis'::text, 'acme'::text, 'harbour'::text]))),
  constraint account_account_status_check CHECK ((account_status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint account_check CHECK ((account_account = account_key))
);
alter table account enable row level security, force row level security;
CREATE INDEX account_by_account ON account USING btree (account_account, account_id);
CREATE INDEX account_by_parent ON account USING btree (account_parent);
create policy account_in_sight on account for all to portcullis_web using ((account_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy account_system on account for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on account to portcullis_system;
grant delete, insert, select, update on account to portcullis_web;
grant usage on sequence account_account_key_seq to portcullis_system;
grant usage on sequence account_account_key_seq to portcullis_web;
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER account_changed_begins_epoch AFTER UPDATE ON account FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION account_begins_epoch();
-- Recorded: in the outbox of the accounts above, which the transaction may not see.
CREATE TRIGGER account_changed_told_above AFTER UPDATE ON account FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION account_told_above();
-- Derived: a restored account has its previous key.
CREATE TRIGGER account_comes_back BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION account_comes_back();
-- Derived: its own account, and the root of its tree.
CREATE TRIGGER account_enters_tree BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION account_enters_tree();
-- Derived: the closure of the tree, and the first policy version of a new tree.
CREATE TRIGGER account_joins_closure AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION account_joins_closure();
-- Derived: the key of a deleted account, under which its events and history stay stored.
CREATE TRIGGER account_leaves AFTER DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_leaves();
-- Recorded: in the outbox of the accounts above, which the transaction may not see; before the closure is deleted.
CREATE TRIGGER account_removed_told_above BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION account_told_above();
-- Security: a disabled user has no open session; portcullis_web sees neither sessions nor other accounts.
CREATE TRIGGER account_suspension_ends_sessions AFTER UPDATE OF account_status ON account FOR EACH ROW WHEN (((new.account_status = 'suspended'::text) AND (old.account_status <> 'suspended'::text))) EXECUTE FUNCTION account_suspension_ends_sessions();

create table account_closure (
  account_closure_ancestor integer not null,
  account_closure_descendant integer not null,
  account_closure_depth integer not null,
  constraint account_closure_pkey PRIMARY KEY (account_closure_ancestor, account_closure_descendant),
  constraint account_closure_account_closure_ancestor_fkey FOREIGN KEY (account_closure_ancestor) REFERENCES account(account_key) ON DELETE CASCADE,
  constraint account_closure_account_closure_descendant_fkey FOREIGN KEY (account_closure_descendant) REFERENCES account(account_key) ON DELETE CASCADE
);
CREATE INDEX account_closure_upward ON account_closure USING btree (account_closure_descendant, account_closure_depth);
grant delete, insert, select, update on account_closure to portcullis_system;
grant select on account_closure to portcullis_web;
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER account_closure_begins_epoch AFTER INSERT OR DELETE OR UPDATE ON account_closure FOR EACH ROW EXECUTE FUNCTION account_closure_begins_epoch();
-- Recorded: in the outbox of the accounts that it enters or leaves, which the transaction may not see.
CREATE TRIGGER account_place_told AFTER INSERT OR DELETE ON account_closure FOR EACH ROW EXECUTE FUNCTION account_place_told();

create table account_gone (
  account_gone_id uuid not null,
  account_gone_key integer not null,
  constraint account_gone_pkey PRIMARY KEY (account_gone_id)
);

create table account_image (
  account_image_account integer not null,
  account_image_tag text not null,
  account_image_bytes bytea not null,
  constraint account_image_pkey PRIMARY KEY (account_image_account),
  constraint account_image_account_image_account_fkey FOREIGN KEY (account_image_account) REFERENCES account(account_key) ON DELETE CASCADE,
  constraint account_image_account_image_bytes_check CHECK ((octet_length(account_image_bytes) <= 262144))
);
alter table account_image enable row level security, force row level security;
create policy account_image_in_sight on account_image for all to portcullis_web using ((account_image_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy account_image_system on account_image for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on account_image to portcullis_system;
grant delete, insert, select, update on account_image to portcullis_web;

create table assumption (
  assumption_id uuid not null,
  assumption_session uuid not null,
  assumption_person uuid not null,
  assumption_from integer not null,
  assumption_account integer not null,
  assumption_reason text not null,
  assumption_address text,
  assumption_device text,
  assumption_since timestamp with time zone default now() not null,
  assumption_until timestamp with time zone not null,
  assumption_ended_at timestamp with time zone,
  constraint assumption_pkey PRIMARY KEY (assumption_id),
  constraint assumption_assumption_person_fkey FOREIGN KEY (assumption_person) REFERENCES person(person_id) ON DELETE CASCADE
);
CREATE INDEX assumption_of_session ON assumption USING btree (assumption_session, assumption_from);
CREATE UNIQUE INDEX assumption_open ON assumption USING btree (assumption_session, assumption_from, assumption_account) WHERE (assumption_ended_at IS NULL);
CREATE INDEX assumption_to_end ON assumption USING btree (assumption_until) WHERE (assumption_ended_at IS NULL);
grant delete, insert, select, update on assumption to portcullis_system;

create table authorisation_epoch (
  authorisation_epoch_xid xid8 default pg_current_xact_id() not null,
  authorisation_epoch_at timestamp with time zone default now() not null,
  authorisation_epoch_person uuid,
  authorisation_epoch_account integer
);
CREATE INDEX authorisation_epoch_newest ON authorisation_epoch USING btree (authorisation_epoch_xid);
CREATE INDEX authorisation_epoch_of_account ON authorisation_epoch USING btree (authorisation_epoch_account, authorisation_epoch_xid) WHERE (authorisation_epoch_account IS NOT NULL);
CREATE INDEX authorisation_epoch_of_person ON authorisation_epoch USING btree (authorisation_epoch_person, authorisation_epoch_xid) WHERE (authorisation_epoch_person IS NOT NULL);
grant delete, select on authorisation_epoch to portcullis_system;

create table card_format (
  card_format_id uuid not null,
  card_format_account integer not null,
  card_format_version integer default 1 not null,
  card_format_created_at timestamp with time zone default now() not null,
  card_format_updated_at timestamp with time zone default now() not null,
  card_format_name text not null,
  card_format_layout text not null,
  constraint card_format_pkey PRIMARY KEY (card_format_id),
  constraint card_format_card_format_account_fkey FOREIGN KEY (card_format_account) REFERENCES account(account_key)
);
alter table card_format enable row level security, force row level security;
CREATE INDEX card_format_by_account ON card_format USING btree (card_format_account, card_format_id);
create policy card_format_in_sight on card_format for all to portcullis_web using ((card_format_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy card_format_system on card_format for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on card_format to portcullis_system;
grant delete, insert, select, update on card_format to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER card_format_moved AFTER UPDATE OF card_format_account ON card_format FOR EACH ROW WHEN ((old.card_format_account <> new.card_format_account)) EXECUTE FUNCTION item_moved('cardFormats', 'f');

create table change (
  change_id bigint generated always as identity not null,
  change_xid xid8 default pg_current_xact_id() not null,
  change_at timestamp with time zone default now() not null,
  change_account integer not null,
  change_collection text not null,
  change_item uuid not null,
  change_action text not null,
  change_is_policy boolean not null,
  constraint change_pkey PRIMARY KEY (change_xid, change_id),
  constraint change_change_action_check CHECK ((change_action = ANY (ARRAY['save'::text, 'remove'::text, 'reread'::text])))
);
CREATE INDEX change_of_policy ON change USING btree (change_xid, change_id) WHERE change_is_policy;
CREATE INDEX change_of_room ON change USING btree (change_account, change_collection, change_xid, change_id);
grant delete, insert, select, update on change to portcullis_system;
grant usage on sequence change_change_id_seq to portcullis_system;

create table change_mark (
  change_mark_at timestamp with time zone default now() not null,
  change_mark_xid xid8 not null
);
CREATE INDEX change_mark_by_xid ON change_mark USING btree (change_mark_xid);
grant delete, insert, select on change_mark to portcullis_system;

create table contact (
  contact_id uuid not null,
  contact_account integer not null,
  contact_version integer default 1 not null,
  contact_created_at timestamp with time zone default now() not null,
  contact_updated_at timestamp with time zone default now() not null,
  contact_name text not null,
  contact_email text,
  contact_phone text,
  contact_note text,
  contact_notify jsonb not null,
  constraint contact_pkey PRIMARY KEY (contact_id),
  constraint contact_contact_account_fkey FOREIGN KEY (contact_account) REFERENCES account(account_key)
);
alter table contact enable row level security, force row level security;
CREATE INDEX contact_by_account ON contact USING btree (contact_account, contact_id);
create policy contact_in_sight on contact for all to portcullis_web using ((contact_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy contact_system on contact for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on contact to portcullis_system;
grant delete, insert, select, update on contact to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER contact_moved AFTER UPDATE OF contact_account ON contact FOR EACH ROW WHEN ((old.contact_account <> new.contact_account)) EXECUTE FUNCTION item_moved('contacts', 'f');

create table credential (
  credential_id uuid not null,
  credential_account integer not null,
  credential_version integer default 1 not null,
  credential_created_at timestamp with time zone default now() not null,
  credential_updated_at timestamp with time zone default now() not null,
  credential_kind text not null,
  credential_number text not null,
  credential_user uuid,
  credential_status text not null,
  credential_valid_from timestamp with time zone,
  credential_valid_until timestamp with time zone,
  credential_duress boolean default false not null,
  credential_format text,
  credential_facility integer,
  credential_printed text,
  constraint credential_pkey PRIMARY KEY (credential_id),
  constraint credential_credential_account_fkey FOREIGN KEY (credential_account) REFERENCES account(account_key),
  constraint credential_credential_user_credential_account_fkey FOREIGN KEY (credential_user, credential_account) REFERENCES membership(membership_user, membership_account),
  constraint credential_credential_kind_check CHECK ((credential_kind = ANY (ARRAY['card'::text, 'pin'::text, 'iButton'::text, 'qr'::text, 'mobile'::text]))),
  constraint credential_credential_status_check CHECK ((credential_status = ANY (ARRAY['active'::text, 'suspended'::text, 'lost'::text, 'stolen'::text, 'revoked'::text])))
);
alter table credential enable row level security, force row level security;
CREATE INDEX credential_by_account ON credential USING btree (credential_account, credential_id);
CREATE INDEX credential_by_mask ON credential USING btree (credential_account, credential_number) WHERE (credential_kind = ANY (ARRAY['qr'::text, 'mobile'::text]));
CREATE INDEX credential_by_user ON credential USING btree (credential_user);
CREATE UNIQUE INDEX credential_number_taken ON credential USING btree (credential_account, credential_number) WHERE (credential_kind = ANY (ARRAY['card'::text, 'iButton'::text]));
create policy credential_in_sight on credential for all to portcullis_web using ((credential_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy credential_system on credential for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on credential to portcullis_system;
grant delete, insert, select, update on credential to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER credential_moved AFTER UPDATE OF credential_account ON credential FOR EACH ROW WHEN ((old.credential_account <> new.credential_account)) EXECUTE FUNCTION item_moved('credentials', 't');

create table door (
  door_id uuid not null,
  door_account integer not null,
  door_version integer default 1 not null,
  door_created_at timestamp with time zone default now() not null,
  door_updated_at timestamp with time zone default now() not null,
  door_name text not null,
  door_site uuid not null,
  door_unit uuid,
  door_unit_door integer,
  door_enabled boolean default true not null,
  door_relock_after_seconds integer not null,
  door_held_open_after_seconds integer not null,
  door_directions jsonb not null,
  door_requires_remote_auth boolean default false not null,
  door_mode text default 'normal'::text not null,
  door_mode_until timestamp with time zone,
  door_mode_version integer default 0 not null,
  door_mode_set_at timestamp with time zone,
  door_requires_pin boolean default false not null,
  door_accepts_pin_alone boolean default false not null,
  door_requires_two_persons boolean default false not null,
  door_first_person_group uuid,
  door_unlock_schedule uuid,
  door_lockdowns jsonb default '[]'::jsonb not null,
  door_mode_after_lockdown jsonb,
  constraint door_pkey PRIMARY KEY (door_id),
  constraint door_door_account_fkey FOREIGN KEY (door_account) REFERENCES account(account_key),
  constraint door_door_first_person_group_fkey FOREIGN KEY (door_first_person_group) REFERENCES user_group(user_group_id),
  constraint door_door_site_fkey FOREIGN KEY (door_site) REFERENCES site(site_id),
  constraint door_door_unit_fkey FOREIGN KEY (door_unit) REFERENCES unit(unit_id),
  constraint door_door_unlock_schedule_fkey FOREIGN KEY (door_unlock_schedule) REFERENCES schedule(schedule_id),
  constraint door_unit_door_taken UNIQUE (door_unit, door_unit_door),
  constraint door_door_mode_check CHECK ((door_mode = ANY (ARRAY['normal'::text, 'unlocked'::text, 'blocked'::text, 'lockdown'::text])))
);
alter table door enable row level security, force row level security;
CREATE INDEX door_by_account ON door USING btree (door_account, door_id);
CREATE INDEX door_by_first_person_group ON door USING btree (door_first_person_group) WHERE (door_first_person_group IS NOT NULL);
CREATE INDEX door_by_lockdown ON door USING gin (door_lockdowns jsonb_path_ops);
CREATE INDEX door_by_site ON door USING btree (door_site);
CREATE INDEX door_by_unlock_schedule ON door USING btree (door_unlock_schedule) WHERE (door_unlock_schedule IS NOT NULL);
CREATE INDEX door_with_mode ON door USING btree (door_unit) WHERE (door_mode_version > 0);
create policy door_in_sight on door for all to portcullis_web using ((door_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy door_system on door for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on door to portcullis_system;
grant delete, insert, select, update on door to portcullis_web;
-- Derived: the port stays known until another door takes it, and portcullis_web cannot write free ports.
CREATE TRIGGER door_deleted_leaves_port AFTER DELETE ON door FOR EACH ROW WHEN (((old.door_unit IS NOT NULL) AND (old.door_unit_door IS NOT NULL) AND (old.door_mode_version > 0))) EXECUTE FUNCTION door_leaves_port();
-- Derived: every door has a state.
CREATE TRIGGER door_has_state AFTER INSERT ON door FOR EACH ROW EXECUTE FUNCTION door_has_state();
-- Derived: the version of a mode is above that of every earlier mode of the port, and portcullis_web cannot see free ports.
CREATE TRIGGER door_inserted_takes_port BEFORE INSERT ON door FOR EACH ROW WHEN (((new.door_unit IS NOT NULL) AND (new.door_unit_door IS NOT NULL))) EXECUTE FUNCTION door_takes_port();
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER door_moved AFTER UPDATE OF door_account ON door FOR EACH ROW WHEN ((old.door_account <> new.door_account)) EXECUTE FUNCTION item_moved('doors', 't');
-- Derived: the port stays known until another door takes it, and portcullis_web cannot write free ports.
CREATE TRIGGER door_moved_leaves_port AFTER UPDATE OF door_unit, door_unit_door ON door FOR EACH ROW WHEN (((old.door_unit IS NOT NULL) AND (old.door_unit_door IS NOT NULL) AND (old.door_mode_version > 0) AND ((old.door_unit IS DISTINCT FROM new.door_unit) OR (old.door_unit_door IS DISTINCT FROM new.door_unit_door)))) EXECUTE FUNCTION door_leaves_port();
-- Derived: the version of a mode is above that of every earlier mode of the port, and portcullis_web cannot see free ports.
CREATE TRIGGER door_moved_takes_port BEFORE UPDATE OF door_unit, door_unit_door ON door FOR EACH ROW WHEN (((new.door_unit IS NOT NULL) AND (new.door_unit_door IS NOT NULL) AND ((old.door_unit IS DISTINCT FROM new.door_unit) OR (old.door_unit_door IS DISTINCT FROM new.door_unit_door)))) EXECUTE FUNCTION door_takes_port();
-- Derived: a copy of the account, which row level security reads; portcullis_web cannot write states.
CREATE TRIGGER door_state_moved_along AFTER UPDATE OF door_account ON door FOR EACH ROW WHEN ((old.door_account <> new.door_account)) EXECUTE FUNCTION state_moved_along();

create table door_group (
  door_group_id uuid not null,
  door_group_account integer not null,
  door_group_version integer default 1 not null,
  door_group_created_at timestamp with time zone default now() not null,
  door_group_updated_at timestamp with time zone default now() not null,
  door_group_name text not null,
  door_group_anti_passback jsonb,
  door_group_forgiven_all_at timestamp with time zone,
  door_group_forgiven_at jsonb default '{}'::jsonb not null,
  constraint door_group_pkey PRIMARY KEY (door_group_id),
  constraint door_group_door_group_account_fkey FOREIGN KEY (door_group_account) REFERENCES account(account_key)
);
alter table door_group enable row level security, force row level security;
CREATE INDEX door_group_by_account ON door_group USING btree (door_group_account, door_group_id);
create policy door_group_in_sight on door_group for all to portcullis_web using ((door_group_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy door_group_system on door_group for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on door_group to portcullis_system;
grant delete, insert, select, update on door_group to portcullis_web;
-- Derived: only areas with anti-passback have passages, and portcullis_web cannot write passages.
CREATE TRIGGER anti_passback_ended AFTER UPDATE OF door_group_anti_passback ON door_group FOR EACH ROW WHEN (((old.door_group_anti_passback IS NOT NULL) AND (new.door_group_anti_passback IS NULL))) EXECUTE FUNCTION anti_passback_ends();
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER door_group_moved AFTER UPDATE OF door_group_account ON door_group FOR EACH ROW WHEN ((old.door_group_account <> new.door_group_account)) EXECUTE FUNCTION item_moved('doorGroups', 't');

create table door_state (
  door_state_id uuid not null,
  door_state_account integer not null,
  door_state_state text default 'unknown'::text not null,
  door_state_state_at timestamp with time zone,
  door_state_applied_mode_version integer default 0 not null,
  door_state_mode_sent_at timestamp with time zone,
  door_state_mode_applied_at timestamp with time zone,
  constraint door_state_pkey PRIMARY KEY (door_state_id),
  constraint door_state_door_state_id_fkey FOREIGN KEY (door_state_id) REFERENCES door(door_id) ON DELETE CASCADE,
  constraint door_state_door_state_state_check CHECK ((door_state_state = ANY (ARRAY['unknown'::text, 'closed'::text, 'open'::text, 'held'::text, 'forced'::text])))
);
alter table door_state enable row level security, force row level security;
create policy door_state_in_sight on door_state for all to portcullis_web using ((door_state_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy door_state_system on door_state for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on door_state to portcullis_system;
grant insert, select on door_state to portcullis_web;

create table earlier_key (
  earlier_key_public bytea not null,
  earlier_key_signing bytea,
  earlier_key_recovery bytea not null,
  earlier_key_replaced_at timestamp with time zone default now() not null,
  constraint earlier_key_pkey PRIMARY KEY (earlier_key_public)
);
create policy earlier_key_system on earlier_key for all to portcullis_system using (true) with check (true);
grant insert, select, update on earlier_key to portcullis_system;

create table email_change (
  email_change_person uuid not null,
  email_change_email text not null,
  email_change_old_confirmed_at timestamp with time zone,
  email_change_new_confirmed_at timestamp with time zone,
  email_change_created_at timestamp with time zone default now() not null,
  email_change_expires_at timestamp with time zone not null,
  constraint email_change_pkey PRIMARY KEY (email_change_person),
  constraint email_change_email_change_person_fkey FOREIGN KEY (email_change_person) REFERENCES person(person_id) ON DELETE CASCADE
);
grant delete, insert, select, update on email_change to portcullis_system;

create table email_link (
  email_link_token_hash bytea not null,
  email_link_person uuid not null,
  email_link_purpose text not null,
  email_link_email text not null,
  email_link_address text not null,
  email_link_created_at timestamp with time zone default now() not null,
  email_link_expires_at timestamp with time zone not null,
  email_link_ended_at timestamp with time zone,
  constraint email_link_pkey PRIMARY KEY (email_link_token_hash),
  constraint email_link_email_link_person_fkey FOREIGN KEY (email_link_person) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint email_link_email_link_purpose_check CHECK ((email_link_purpose = ANY (ARRAY['verify'::text, 'change_old'::text, 'change_new'::text])))
);
CREATE INDEX email_link_by_address ON email_link USING btree (email_link_address, email_link_created_at);
CREATE INDEX email_link_by_person ON email_link USING btree (email_link_person, email_link_created_at);
grant delete, insert, select, update on email_link to portcullis_system;

create table event (
  event_id uuid not null,
  event_account integer not null,
  event_type text not null,
  event_category text not null,
  event_severity text not null,
  event_site uuid,
  event_door uuid,
  event_unit uuid,
  event_user uuid,
  event_credential uuid,
  event_direction text,
  event_outcome text,
  event_reason text,
  event_reasons json default '[]'::json not null,
  event_occurred_at timestamp with time zone not null,
  event_received_at timestamp with time zone default now() not null,
  event_backfilled boolean default false not null,
  event_policy_version bigint,
  event_log uuid,
  event_seq bigint,
  event_data json default '{}'::json not null,
  constraint event_pkey PRIMARY KEY (event_id, event_occurred_at),
  constraint event_event_category_check CHECK ((event_category = ANY (ARRAY['access'::text, 'door'::text, 'unit'::text, 'administration'::text]))),
  constraint event_event_direction_check CHECK ((event_direction = ANY (ARRAY['entry'::text, 'exit'::text]))),
  constraint event_event_outcome_check CHECK ((event_outcome = ANY (ARRAY['granted'::text, 'denied'::text]))),
  constraint event_event_reason_check CHECK ((event_reason = ANY (ARRAY['door_unknown'::text, 'door_disabled'::text, 'unit_out_of_service'::text, 'door_locked_down'::text, 'door_blocked'::text, 'credential_unknown'::text, 'card_required'::text, 'credential_unassigned'::text, 'credential_suspended'::text, 'credential_lost'::text, 'credential_stolen'::text, 'credential_revoked'::text, 'not_yet_valid'::text, 'expired'::text, 'holder_inactive'::text, 'recertification_overdue'::text, 'denied_by_rule'::text, 'no_access'::text, 'outside_schedule'::text, 'holiday_closed'::text, 'adhoc_not_started'::text, 'adhoc_ended'::text, 'interlock'::text, 'interlock_unavailable'::text, 'antipassback'::text, 'first_person_absent'::text, 'pin_required'::text, 'pin_invalid'::text, 'pin_locked'::text, 'second_person_required'::text, 'second_person_absent'::text, 'remote_approval_required'::text, 'remote_denied'::text, 'remote_timeout'::text, 'remote_unavailable'::text, 'unit_out_of_step'::text]))),
  constraint event_event_severity_check CHECK ((event_severity = ANY (ARRAY['info'::text, 'notice'::text, 'warning'::text, 'alarm'::text]))),
  constraint event_event_type_check CHECK ((event_type = ANY (ARRAY['access.granted'::text, 'access.denied'::text, 'access.remote_requested'::text, 'access.remote_granted'::text, 'access.remote_denied'::text, 'access.remote_expired'::text, 'access.guest_refused'::text, 'door.opened'::text, 'door.closed'::text, 'door.forced'::text, 'door.held'::text, 'door.restored'::text, 'door.exit_requested'::text, 'door.unlocked_once'::text, 'door.mode_changed'::text, 'unit.enrolled'::text, 'unit.online'::text, 'unit.offline'::text, 'unit.power_on'::text, 'unit.clock_wrong'::text, 'unit.clock_right'::text, 'unit.out_of_sync'::text, 'unit.in_sync'::text, 'unit.capacity_exceeded'::text, 'unit.capacity_restored'::text, 'unit.tamper'::text, 'unit.tamper_ended'::text, 'unit.on_battery'::text, 'unit.on_mains'::text, 'unit.sync_started'::text, 'unit.sync_ok'::text, 'unit.sync_failed'::text, 'unit.log_gap'::text, 'unit.unreadable_record'::text, 'unit.refused'::text, 'administration.signed_in'::text, 'administration.sign_in_failed'::text, 'administration.second_factor_on'::text, 'administration.second_factor_off'::text, 'administration.second_factor_reset'::text, 'administration.recovery_codes_renewed'::text, 'administration.recovery_code_used'::text, 'administration.password_changed'::text, 'administration.password_reset'::text, 'administration.email_changed'::text, 'administration.exported'::text, 'administration.recertified'::text, 'administration.refused'::text, 'administration.lockdown_started'::text, 'administration.lockdown_ended'::text])))
) partition by RANGE (event_occurred_at);
alter table event enable row level security, force row level security;
CREATE INDEX event_at_door ON ONLY event USING btree (event_account, event_door, event_type, event_occurred_at DESC);
CREATE INDEX event_by_outcome ON ONLY event USING btree (event_account, event_outcome, event_occurred_at DESC);
CREATE INDEX event_in_time ON ONLY event USING btree (event_occurred_at DESC, event_id DESC, event_account DESC);
CREATE INDEX event_newest ON ONLY event USING btree (event_account, event_occurred_at DESC, event_id DESC);
CREATE INDEX event_of_user ON ONLY event USING btree (event_account, event_user, event_occurred_at DESC);
create policy event_in_sight on event for all to portcullis_web using ((event_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy event_system on event for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on event to portcullis_system;
grant select on event to portcullis_web;
-- Derived: counts, from which totals are exact at every commit.
CREATE TRIGGER events_came AFTER INSERT ON event REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION events_counted();
-- Derived: counts, from which totals are exact at every commit.
CREATE TRIGGER events_changed AFTER UPDATE ON event REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION events_counted();
-- Derived: counts, from which totals are exact at every commit.
CREATE TRIGGER events_went AFTER DELETE ON event REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION events_counted();

create table event_default partition of event DEFAULT;

create table event_delta (
  event_delta_account integer not null,
  event_delta_door uuid,
  event_delta_type text not null,
  event_delta_hour timestamp with time zone not null,
  event_delta_count integer not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
alter table event_delta enable row level security, force row level security;
CREATE INDEX event_delta_of_account ON event_delta USING btree (event_delta_account, event_delta_hour);
create policy event_delta_in_sight on event_delta for all to portcullis_web using ((event_delta_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy event_delta_system on event_delta for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on event_delta to portcullis_system;
grant select on event_delta to portcullis_web;

create table event_total (
  event_total_account integer not null,
  event_total_door uuid,
  event_total_type text,
  event_total_day date,
  event_total_count bigint not null,
  event_total_hours integer[],
  constraint event_total_once UNIQUE NULLS NOT DISTINCT (event_total_account, event_total_door, event_total_type, event_total_day)
) with (fillfactor=80);
alter table event_total enable row level security, force row level security;
create policy event_total_in_sight on event_total for all to portcullis_web using ((event_total_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy event_total_system on event_total for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on event_total to portcullis_system;
grant select on event_total to portcullis_web;

create table floor_plan (
  floor_plan_id uuid not null,
  floor_plan_account integer not null,
  floor_plan_version integer default 1 not null,
  floor_plan_created_at timestamp with time zone default now() not null,
  floor_plan_updated_at timestamp with time zone default now() not null,
  floor_plan_name text not null,
  floor_plan_site uuid not null,
  floor_plan_placements jsonb not null,
  floor_plan_image jsonb,
  constraint floor_plan_pkey PRIMARY KEY (floor_plan_id),
  constraint floor_plan_floor_plan_account_fkey FOREIGN KEY (floor_plan_account) REFERENCES account(account_key),
  constraint floor_plan_floor_plan_site_fkey FOREIGN KEY (floor_plan_site) REFERENCES site(site_id)
);
alter table floor_plan enable row level security, force row level security;
CREATE INDEX floor_plan_by_account ON floor_plan USING btree (floor_plan_account, floor_plan_id);
CREATE INDEX floor_plan_by_site ON floor_plan USING btree (floor_plan_site);
create policy floor_plan_in_sight on floor_plan for all to portcullis_web using ((floor_plan_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy floor_plan_system on floor_plan for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on floor_plan to portcullis_system;
grant delete, insert, select, update on floor_plan to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER floor_plan_moved AFTER UPDATE OF floor_plan_account ON floor_plan FOR EACH ROW WHEN ((old.floor_plan_account <> new.floor_plan_account)) EXECUTE FUNCTION item_moved('floorPlans', 'f');

create table floor_plan_image (
  floor_plan_image_id uuid not null,
  floor_plan_image_account integer not null,
  floor_plan_image_tag text not null,
  floor_plan_image_bytes bytea not null,
  constraint floor_plan_image_pkey PRIMARY KEY (floor_plan_image_id),
  constraint floor_plan_image_floor_plan_image_account_fkey FOREIGN KEY (floor_plan_image_account) REFERENCES account(account_key),
  constraint floor_plan_image_floor_plan_image_id_fkey FOREIGN KEY (floor_plan_image_id) REFERENCES floor_plan(floor_plan_id) ON DELETE CASCADE,
  constraint floor_plan_image_floor_plan_image_bytes_check CHECK ((octet_length(floor_plan_image_bytes) <= 16777216))
);
alter table floor_plan_image enable row level security, force row level security;
CREATE INDEX floor_plan_image_by_account ON floor_plan_image USING btree (floor_plan_image_account);
create policy floor_plan_image_in_sight on floor_plan_image for all to portcullis_web using ((floor_plan_image_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy floor_plan_image_system on floor_plan_image for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on floor_plan_image to portcullis_system;
grant delete, insert, select, update on floor_plan_image to portcullis_web;

create table free_port (
  free_port_unit uuid not null,
  free_port_number integer not null,
  free_port_door uuid,
  free_port_mode_version integer not null,
  free_port_applied_mode_version integer default 0 not null,
  constraint free_port_pkey PRIMARY KEY (free_port_unit, free_port_number),
  constraint free_port_free_port_unit_fkey FOREIGN KEY (free_port_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on free_port to portcullis_system;

create table guest_link (
  guest_link_rule uuid not null,
  guest_link_account integer not null,
  guest_link_credential uuid not null,
  guest_link_token_hash bytea not null,
  guest_link_invited_by_name text not null,
  guest_link_created_at timestamp with time zone default now() not null,
  constraint guest_link_pkey PRIMARY KEY (guest_link_rule),
  constraint guest_link_guest_link_account_fkey FOREIGN KEY (guest_link_account) REFERENCES account(account_key),
  constraint guest_link_guest_link_credential_fkey FOREIGN KEY (guest_link_credential) REFERENCES credential(credential_id) ON DELETE CASCADE,
  constraint guest_link_guest_link_rule_fkey FOREIGN KEY (guest_link_rule) REFERENCES rule(rule_id) ON DELETE CASCADE,
  constraint guest_link_guest_link_token_hash_key UNIQUE (guest_link_token_hash)
);
alter table guest_link enable row level security, force row level security;
CREATE INDEX guest_link_by_account ON guest_link USING btree (guest_link_account);
CREATE INDEX guest_link_by_credential ON guest_link USING btree (guest_link_credential);
create policy guest_link_in_sight on guest_link for all to portcullis_web using ((guest_link_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy guest_link_system on guest_link for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on guest_link to portcullis_system;
grant delete, insert, select, update on guest_link to portcullis_web;

create table history (
  history_id uuid not null,
  history_account integer not null,
  history_collection text not null,
  history_item uuid,
  history_action text not null,
  history_before jsonb,
  history_after jsonb,
  history_actor uuid,
  history_actor_name text,
  history_assumed_account integer,
  history_assumed_account_id uuid,
  history_assumption uuid,
  history_reason text,
  history_request text,
  history_at timestamp with time zone default clock_timestamp() not null,
  history_schema integer not null,
  history_policy_version bigint,
  history_undoes uuid,
  history_position bigint default ((pg_current_xact_id())::text)::bigint not null,
  constraint history_pkey PRIMARY KEY (history_id, history_at),
  constraint history_history_action_check CHECK ((history_action = ANY (ARRAY['create'::text, 'patch'::text, 'delete'::text, 'export'::text, 'assume'::text, 'leave'::text, 'unlock'::text])))
) partition by RANGE (history_at);
alter table history enable row level security, force row level security;
CREATE INDEX history_by_action ON ONLY history USING btree (history_account, history_action, history_at DESC);
CREATE INDEX history_by_actor ON ONLY history USING btree (history_account, history_actor, history_at DESC);
CREATE INDEX history_followed ON ONLY history USING btree (history_account, history_position, history_id);
CREATE INDEX history_in_time ON ONLY history USING btree (history_at DESC, history_id DESC, history_account DESC);
CREATE INDEX history_newest ON ONLY history USING btree (history_account, history_at DESC, history_id DESC);
CREATE INDEX history_of_assumption ON ONLY history USING btree (history_account, history_assumption, history_at DESC) WHERE (history_assumption IS NOT NULL);
CREATE INDEX history_of_collection ON ONLY history USING btree (history_account, history_collection, history_at DESC);
CREATE INDEX history_of_item ON ONLY history USING btree (history_account, history_item, history_at DESC);
CREATE INDEX history_of_requests ON ONLY history USING btree (history_actor, history_at DESC) WHERE ((history_collection = 'tasks'::text) AND (history_action = 'create'::text));
CREATE INDEX history_undoing ON ONLY history USING btree (history_account, history_undoes, history_at DESC) WHERE (history_undoes IS NOT NULL);
create policy history_in_sight on history for all to portcullis_web using ((history_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy history_system on history for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on history to portcullis_system;
grant insert, select on history to portcullis_web;

create table history_default partition of history DEFAULT;

create table holiday (
  holiday_id uuid not null,
  holiday_account integer not null,
  holiday_version integer default 1 not null,
  holiday_created_at timestamp with time zone default now() not null,
  holiday_updated_at timestamp with time zone default now() not null,
  holiday_name text not null,
  holiday_kind text not null,
  holiday_dates jsonb not null,
  holiday_calendar text,
  constraint holiday_pkey PRIMARY KEY (holiday_id),
  constraint holiday_holiday_account_fkey FOREIGN KEY (holiday_account) REFERENCES account(account_key),
  constraint holiday_holiday_kind_check CHECK ((holiday_kind = ANY (ARRAY['public'::text, 'company'::text, 'special'::text])))
);
alter table holiday enable row level security, force row level security;
CREATE INDEX holiday_by_account ON holiday USING btree (holiday_account, holiday_id);
create policy holiday_in_sight on holiday for all to portcullis_web using ((holiday_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy holiday_system on holiday for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on holiday to portcullis_system;
grant delete, insert, select, update on holiday to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER holiday_moved AFTER UPDATE OF holiday_account ON holiday FOR EACH ROW WHEN ((old.holiday_account <> new.holiday_account)) EXECUTE FUNCTION item_moved('holidays', 't');

-- Constrained: it has at most one row.
create table installation (
  installation_only boolean default true not null,
  installation_key_fingerprint bytea not null,
  installation_numbers_sealed boolean default false not null,
  constraint installation_pkey PRIMARY KEY (installation_only),
  constraint installation_installation_only_check CHECK (installation_only)
);
create policy installation_system on installation for all to portcullis_system using (true) with check (true);
grant insert, select, update, update (installation_numbers_sealed) on installation to portcullis_system;

create table interlock_state (
  interlock_state_door uuid not null,
  interlock_state_unit uuid not null,
  interlock_state_is_secure boolean not null,
  constraint interlock_state_pkey PRIMARY KEY (interlock_state_door),
  constraint interlock_state_interlock_state_door_fkey FOREIGN KEY (interlock_state_door) REFERENCES door(door_id) ON DELETE CASCADE,
  constraint interlock_state_interlock_state_unit_fkey FOREIGN KEY (interlock_state_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
CREATE INDEX interlock_state_by_unit ON interlock_state USING btree (interlock_state_unit);
grant delete, insert, select, update on interlock_state to portcullis_system;

create table interlocking_group (
  interlocking_group_id uuid not null,
  interlocking_group_account integer not null,
  interlocking_group_version integer default 1 not null,
  interlocking_group_created_at timestamp with time zone default now() not null,
  interlocking_group_updated_at timestamp with time zone default now() not null,
  interlocking_group_name text not null,
  constraint interlocking_group_pkey PRIMARY KEY (interlocking_group_id),
  constraint interlocking_group_interlocking_group_account_fkey FOREIGN KEY (interlocking_group_account) REFERENCES account(account_key)
);
alter table interlocking_group enable row level security, force row level security;
CREATE INDEX interlocking_group_by_account ON interlocking_group USING btree (interlocking_group_account, interlocking_group_id);
create policy interlocking_group_in_sight on interlocking_group for all to portcullis_web using ((interlocking_group_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy interlocking_group_system on interlocking_group for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on interlocking_group to portcullis_system;
grant delete, insert, select, update on interlocking_group to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER interlocking_group_moved AFTER UPDATE OF interlocking_group_account ON interlocking_group FOR EACH ROW WHEN ((old.interlocking_group_account <> new.interlocking_group_account)) EXECUTE FUNCTION item_moved('interlockingGroups', 't');

create table known_device (
  known_device_token_hash bytea not null,
  known_device_person uuid not null,
  known_device_used_at timestamp with time zone default now() not null,
  constraint known_device_pkey PRIMARY KEY (known_device_token_hash, known_device_person),
  constraint known_device_known_device_person_fkey FOREIGN KEY (known_device_person) REFERENCES person(person_id) ON DELETE CASCADE
);
CREATE INDEX known_device_by_person ON known_device USING btree (known_device_person);
CREATE INDEX known_device_unused ON known_device USING btree (known_device_used_at);
grant delete, insert, select, update on known_device to portcullis_system;

create table link (
  link_account integer not null,
  link_owner uuid not null,
  link_field text not null,
  link_kind text not null,
  link_target uuid not null,
  constraint link_pkey PRIMARY KEY (link_owner, link_field, link_kind, link_target),
  constraint link_link_account_fkey FOREIGN KEY (link_account) REFERENCES account(account_key)
);
alter table link enable row level security, force row level security;
CREATE INDEX link_by_account ON link USING btree (link_account);
CREATE INDEX link_by_target ON link USING btree (link_target, link_field);
create policy link_in_sight on link for all to portcullis_web using ((link_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy link_system on link for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on link to portcullis_system;
grant delete, insert, select, update on link to portcullis_web;
-- Derived: what units have reported before a door entered their interlock does not count, and portcullis_web cannot delete it.
CREATE TRIGGER interlock_began AFTER INSERT ON link REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION interlock_begins();
-- Recorded: no statement adds a link without its history.
CREATE TRIGGER link_came AFTER INSERT ON link REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION link_kept_in_history('added');
-- Recorded: no statement removes a link without its history.
CREATE TRIGGER link_went AFTER DELETE ON link REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION link_kept_in_history('removed');

create table link_history (
  link_history_account integer not null,
  link_history_owner uuid not null,
  link_history_field text not null,
  link_history_kind text not null,
  link_history_target uuid not null,
  link_history_action text not null,
  link_history_position bigint default ((pg_current_xact_id())::text)::bigint not null,
  link_history_at timestamp with time zone default clock_timestamp() not null,
  constraint link_history_link_history_action_check CHECK ((link_history_action = ANY (ARRAY['added'::text, 'removed'::text])))
) partition by RANGE (link_history_at);
alter table link_history enable row level security, force row level security;
CREATE INDEX link_history_of_owner ON ONLY link_history USING btree (link_history_owner, link_history_at);
CREATE INDEX link_history_of_target ON ONLY link_history USING btree (link_history_target, link_history_at);
create policy link_history_in_sight on link_history for all to portcullis_web using ((link_history_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy link_history_system on link_history for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on link_history to portcullis_system;
grant insert, select on link_history to portcullis_web;

create table link_history_default partition of link_history DEFAULT;

create table lockdown (
  lockdown_id uuid not null,
  lockdown_account integer not null,
  lockdown_plan uuid not null,
  lockdown_name text not null,
  lockdown_started_at timestamp with time zone default now() not null,
  lockdown_started_by uuid not null,
  lockdown_started_by_name text not null,
  lockdown_ends_at timestamp with time zone,
  lockdown_ended_at timestamp with time zone,
  lockdown_ended_by uuid,
  lockdown_ended_by_name text,
  lockdown_may_pass jsonb default '[]'::jsonb not null,
  constraint lockdown_pkey PRIMARY KEY (lockdown_id),
  constraint lockdown_lockdown_account_fkey FOREIGN KEY (lockdown_account) REFERENCES account(account_key)
);
alter table lockdown enable row level security, force row level security;
CREATE INDEX lockdown_in_time ON lockdown USING btree (lockdown_started_at DESC, lockdown_id DESC, lockdown_account DESC);
CREATE INDEX lockdown_newest ON lockdown USING btree (lockdown_account, lockdown_started_at DESC, lockdown_id DESC);
CREATE UNIQUE INDEX lockdown_of_plan ON lockdown USING btree (lockdown_plan) WHERE (lockdown_ended_at IS NULL);
CREATE INDEX lockdown_running ON lockdown USING btree (lockdown_ends_at) WHERE (lockdown_ended_at IS NULL);
create policy lockdown_in_sight on lockdown for all to portcullis_web using ((lockdown_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy lockdown_system on lockdown for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on lockdown to portcullis_system;
grant insert, select, update on lockdown to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER lockdown_moved AFTER UPDATE OF lockdown_account ON lockdown FOR EACH ROW WHEN ((old.lockdown_account <> new.lockdown_account)) EXECUTE FUNCTION item_moved('lockdowns', 'f');

create table lockdown_card (
  lockdown_card_plan uuid not null,
  lockdown_card_event uuid not null,
  lockdown_card_user uuid not null,
  lockdown_card_user_name text not null,
  lockdown_card_stored_at timestamp with time zone default now() not null,
  constraint lockdown_card_pkey PRIMARY KEY (lockdown_card_plan)
);
grant delete, insert, select, update on lockdown_card to portcullis_system;

create table lockdown_plan (
  lockdown_plan_id uuid not null,
  lockdown_plan_account integer not null,
  lockdown_plan_version integer default 1 not null,
  lockdown_plan_created_at timestamp with time zone default now() not null,
  lockdown_plan_updated_at timestamp with time zone default now() not null,
  lockdown_plan_name text not null,
  lockdown_plan_ends_after_minutes integer,
  lockdown_plan_note text,
  constraint lockdown_plan_pkey PRIMARY KEY (lockdown_plan_id),
  constraint lockdown_plan_lockdown_plan_account_fkey FOREIGN KEY (lockdown_plan_account) REFERENCES account(account_key)
);
alter table lockdown_plan enable row level security, force row level security;
CREATE INDEX lockdown_plan_by_account ON lockdown_plan USING btree (lockdown_plan_account, lockdown_plan_id);
create policy lockdown_plan_in_sight on lockdown_plan for all to portcullis_web using ((lockdown_plan_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy lockdown_plan_system on lockdown_plan for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on lockdown_plan to portcullis_system;
grant delete, insert, select, update on lockdown_plan to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER lockdown_plan_moved AFTER UPDATE OF lockdown_plan_account ON lockdown_plan FOR EACH ROW WHEN ((old.lockdown_plan_account <> new.lockdown_plan_account)) EXECUTE FUNCTION item_moved('lockdownPlans', 't');

create table mail (
  mail_id uuid not null,
  mail_person uuid not null,
  mail_to_name text not null,
  mail_to_address text not null,
  mail_kind text not null,
  mail_content jsonb,
  mail_status text default 'waiting'::text not null,
  mail_attempts integer default 0 not null,
  mail_problem text,
  mail_created_at timestamp with time zone default now() not null,
  mail_due_at timestamp with time zone default now() not null,
  mail_ended_at timestamp with time zone,
  constraint mail_pkey PRIMARY KEY (mail_id),
  constraint mail_mail_person_fkey FOREIGN KEY (mail_person) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint mail_mail_kind_check CHECK ((mail_kind = ANY (ARRAY['reset'::text, 'invitation'::text, 'membership'::text, 'verification'::text, 'email_change_old'::text, 'email_change_new'::text, 'password_changed'::text, 'email_changed'::text, 'second_factor_on'::text, 'second_factor_off'::text, 'second_factor_reset'::text, 'recovery_codes_renewed'::text, 'recovery_code_used'::text, 'codes_locked'::text, 'guest_link'::text, 'guest_code'::text]))),
  constraint mail_mail_status_check CHECK ((mail_status = ANY (ARRAY['waiting'::text, 'sent'::text, 'kept'::text, 'failed'::text])))
);
alter table mail enable row level security, force row level security;
CREATE INDEX mail_by_person ON mail USING btree (mail_person);
CREATE INDEX mail_due ON mail USING btree (mail_due_at) WHERE (mail_status = 'waiting'::text);
CREATE INDEX mail_newest ON mail USING btree (mail_created_at DESC, mail_id DESC);
create policy mail_added on mail for insert to portcullis_web with check (((mail_status = 'waiting'::text) AND (EXISTS ( SELECT
   FROM person
  WHERE (person.person_id = mail.mail_person)))));
create policy mail_system on mail for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on mail to portcullis_system;
grant insert on mail to portcullis_web;

create table membership (
  membership_user uuid not null,
  membership_account integer not null,
  membership_version integer default 1 not null,
  membership_created_at timestamp with time zone default now() not null,
  membership_updated_at timestamp with time zone default now() not null,
  membership_role text default 'appUser'::text not null,
  membership_status text default 'active'::text not null,
  membership_title text,
  membership_valid_from timestamp with time zone,
  membership_valid_until timestamp with time zone,
  membership_last_recertified_at timestamp with time zone,
  membership_waits boolean default false not null,
  constraint membership_pkey PRIMARY KEY (membership_user, membership_account),
  constraint membership_membership_account_fkey FOREIGN KEY (membership_account) REFERENCES account(account_key),
  constraint membership_membership_user_fkey FOREIGN KEY (membership_user) REFERENCES person(person_id),
  constraint membership_membership_role_check CHECK ((membership_role = ANY (ARRAY['admin'::text, 'accountManager'::text, 'installer'::text, 'accessManager'::text, 'reportingUser'::text, 'appUser'::text]))),
  constraint membership_membership_status_check CHECK ((membership_status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
alter table membership enable row level security, force row level security;
CREATE INDEX membership_by_account ON membership USING btree (membership_account, membership_user);
CREATE INDEX membership_to_recertify ON membership USING btree (membership_account, (
CASE
    WHEN (membership_last_recertified_at IS NOT NULL) THEN membership_last_recertified_at
    WHEN (membership_valid_from IS NOT NULL) THEN membership_valid_from
    ELSE '-infinity'::timestamp with time zone
END), membership_user) INCLUDE (membership_valid_until) WHERE (membership_status = 'active'::text);
create policy membership_in_sight on membership for all to portcullis_web using ((membership_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy membership_system on membership for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on membership to portcullis_system;
grant delete, insert, insert (membership_waits), select, select (membership_waits), update on membership to portcullis_web;
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER membership_begins_epoch AFTER INSERT OR DELETE ON membership FOR EACH ROW EXECUTE FUNCTION membership_begins_epoch();
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER membership_changed_begins_epoch AFTER UPDATE ON membership FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION membership_begins_epoch();
-- Security: a disabled user has no open session; portcullis_web sees neither sessions nor other accounts.
CREATE TRIGGER membership_suspension_ends_sessions AFTER UPDATE OF membership_status ON membership FOR EACH ROW WHEN (((new.membership_status <> old.membership_status) AND (new.membership_status <> 'active'::text))) EXECUTE FUNCTION suspension_ends_sessions();

create table membership_invitation (
  membership_invitation_id uuid not null,
  membership_invitation_token_hash bytea not null,
  membership_invitation_person uuid not null,
  membership_invitation_user uuid not null,
  membership_invitation_account integer not null,
  membership_invitation_invited_by_name text not null,
  membership_invitation_address text,
  membership_invitation_created_at timestamp with time zone default now() not null,
  membership_invitation_expires_at timestamp with time zone not null,
  membership_invitation_ended_at timestamp with time zone,
  constraint membership_invitation_pkey PRIMARY KEY (membership_invitation_id),
  constraint membership_invitation_membership_invitation_person_fkey FOREIGN KEY (membership_invitation_person) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint membership_invitation_membership_invitation_token_hash_key UNIQUE (membership_invitation_token_hash),
  constraint membership_invitation_membership_invitation_user_membershi_fkey FOREIGN KEY (membership_invitation_user, membership_invitation_account) REFERENCES membership(membership_user, membership_account) ON DELETE CASCADE
);
CREATE INDEX membership_invitation_by_address ON membership_invitation USING btree (membership_invitation_address, membership_invitation_created_at);
CREATE INDEX membership_invitation_by_person ON membership_invitation USING btree (membership_invitation_person);
CREATE INDEX membership_invitation_by_user ON membership_invitation USING btree (membership_invitation_user, membership_invitation_account);
grant delete, insert, select, update on membership_invitation to portcullis_system;

create table membership_mail (
  membership_mail_id bigint generated always as identity not null,
  membership_mail_to text not null,
  membership_mail_account integer not null,
  membership_mail_created_at timestamp with time zone default now() not null,
  constraint membership_mail_pkey PRIMARY KEY (membership_mail_id)
);
CREATE INDEX membership_mail_by_account ON membership_mail USING btree (membership_mail_account, membership_mail_created_at);
CREATE INDEX membership_mail_by_age ON membership_mail USING btree (membership_mail_created_at);
CREATE INDEX membership_mail_by_recipient ON membership_mail USING btree (membership_mail_to, membership_mail_created_at);
grant delete, insert, select, update on membership_mail to portcullis_system;

create table meta_data_template (
  meta_data_template_id uuid not null,
  meta_data_template_account integer not null,
  meta_data_template_version integer default 1 not null,
  meta_data_template_created_at timestamp with time zone default now() not null,
  meta_data_template_updated_at timestamp with time zone default now() not null,
  meta_data_template_name text not null,
  meta_data_template_fields jsonb not null,
  constraint meta_data_template_pkey PRIMARY KEY (meta_data_template_id),
  constraint meta_data_template_meta_data_template_account_fkey FOREIGN KEY (meta_data_template_account) REFERENCES account(account_key)
);
alter table meta_data_template enable row level security, force row level security;
CREATE INDEX meta_data_template_by_account ON meta_data_template USING btree (meta_data_template_account, meta_data_template_id);
create policy meta_data_template_in_sight on meta_data_template for all to portcullis_web using ((meta_data_template_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy meta_data_template_system on meta_data_template for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on meta_data_template to portcullis_system;
grant delete, insert, select, update on meta_data_template to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER meta_data_template_moved AFTER UPDATE OF meta_data_template_account ON meta_data_template FOR EACH ROW WHEN ((old.meta_data_template_account <> new.meta_data_template_account)) EXECUTE FUNCTION item_moved('metaDataTemplates', 'f');

create table mfa (
  mfa_person uuid not null,
  mfa_key bytea,
  mfa_is_asked boolean default false not null,
  mfa_last_step bigint default 0 not null,
  mfa_spare_step bigint,
  mfa_pending_key bytea,
  mfa_tries integer default 0 not null,
  mfa_tries_since timestamp with time zone default now() not null,
  constraint mfa_pkey PRIMARY KEY (mfa_person),
  constraint mfa_mfa_person_fkey FOREIGN KEY (mfa_person) REFERENCES person(person_id) ON DELETE CASCADE
);
grant delete, insert, select, update on mfa to portcullis_system;

create table migration (
  migration_name text not null,
  migration_hash text not null,
  migration_minimum_version integer,
  migration_applied_at timestamp with time zone default now() not null,
  constraint migration_pkey PRIMARY KEY (migration_name)
);

create table passage (
  passage_id uuid not null,
  passage_area uuid not null,
  passage_user uuid not null,
  passage_direction text,
  passage_at timestamp with time zone not null,
  passage_unit uuid,
  passage_stored_at timestamp with time zone default now() not null,
  passage_late_direction text,
  constraint passage_pkey PRIMARY KEY (passage_area, passage_user),
  constraint passage_passage_area_fkey FOREIGN KEY (passage_area) REFERENCES door_group(door_group_id) ON DELETE CASCADE,
  constraint passage_passage_id_key UNIQUE (passage_id),
  constraint passage_passage_unit_fkey FOREIGN KEY (passage_unit) REFERENCES unit(unit_id) ON DELETE SET NULL,
  constraint passage_passage_user_fkey FOREIGN KEY (passage_user) REFERENCES person(person_id) ON DELETE CASCADE,
  constraint passage_passage_direction_check CHECK ((passage_direction = ANY (ARRAY['entry'::text, 'exit'::text]))),
  constraint passage_passage_late_direction_check CHECK ((passage_late_direction = ANY (ARRAY['entry'::text, 'exit'::text])))
);
alter table passage enable row level security, force row level security;
CREATE INDEX passage_by_time ON passage USING btree (passage_area, passage_stored_at);
CREATE INDEX passage_by_unit ON passage USING btree (passage_unit);
CREATE INDEX passage_by_user ON passage USING btree (passage_user);
create policy passage_in_sight on passage for select to portcullis_web using ((passage_area IN ( SELECT door_group.door_group_id
   FROM door_group)));
create policy passage_system on passage for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on passage to portcullis_system;
grant select (passage_area, passage_at, passage_direction, passage_late_direction, passage_user) on passage to portcullis_web;

create table password_reset (
  password_reset_token_hash bytea not null,
  password_reset_person uuid not null,
  password_reset_invites boolean default false not null,
  password_reset_address text,
  password_reset_created_at timestamp with time zone default now() not null,
  password_reset_expires_at timestamp with time zone not null,
  password_reset_ended_at timestamp with time zone,
  constraint password_reset_pkey PRIMARY KEY (password_reset_token_hash),
  constraint password_reset_password_reset_person_fkey FOREIGN KEY (password_reset_person) REFERENCES person(person_id) ON DELETE CASCADE
);
alter table password_reset enable row level security, force row level security;
CREATE INDEX password_reset_by_address ON password_reset USING btree (password_reset_address, password_reset_created_at);
CREATE INDEX password_reset_by_person ON password_reset USING btree (password_reset_person, password_reset_created_at);
create policy password_reset_invitation on password_reset for insert to portcullis_web with check ((password_reset_invites AND (EXISTS ( SELECT
   FROM person
  WHERE ((person.person_id = password_reset.password_reset_person) AND (person.person_home = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])))))));
create policy password_reset_system on password_reset for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on password_reset to portcullis_system;
grant insert on password_reset to portcullis_web;

create table person (
  person_id uuid not null,
  person_home integer not null,
  person_name text not null,
  person_email text,
  person_img text,
  person_hyper boolean default false not null,
  person_verified boolean default false not null,
  person_idle_time integer default 300 not null,
  person_consent jsonb default '{}'::jsonb not null,
  person_password_hash text,
  person_created_at timestamp with time zone default now() not null,
  person_language text,
  person_claimed_email text,
  constraint person_pkey PRIMARY KEY (person_id),
  constraint person_person_email_key UNIQUE (person_email),
  constraint person_person_home_fkey FOREIGN KEY (person_home) REFERENCES account(account_key),
  constraint person_person_language_check CHECK ((person_language = ANY (ARRAY['en'::text, 'es'::text])))
);
alter table person enable row level security, force row level security;
CREATE INDEX person_by_claimed_email ON person USING btree (person_claimed_email) WHERE (person_claimed_email IS NOT NULL);
CREATE INDEX person_by_name ON person USING btree (person_name, person_id);
create policy person_at_home on person for select to portcullis_web using ((person_home = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy person_changed_at_home on person for update to portcullis_web using ((person_home = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy person_created on person for insert to portcullis_web with check ((person_home = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy person_in_sight on person for select to portcullis_web using ((EXISTS ( SELECT 1
   FROM membership
  WHERE (membership.membership_user = person.person_id))));
create policy person_removed_at_home on person for delete to portcullis_web using ((person_home = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy person_system on person for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on person to portcullis_system;
grant delete, insert (person_claimed_email, person_email, person_home, person_id, person_idle_time, person_name), select (person_claimed_email, person_created_at, person_email, person_home, person_hyper, person_id, person_idle_time, person_img, person_name, person_verified), update (person_email, person_idle_time, person_name) on person to portcullis_web;
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER person_begins_epoch AFTER INSERT OR DELETE ON person FOR EACH ROW EXECUTE FUNCTION person_begins_epoch();
-- Security: no statement changes rights without an epoch.
CREATE TRIGGER person_changed_begins_epoch AFTER UPDATE ON person FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION person_begins_epoch();
-- Recorded: in the outbox of every account of the person, which the transaction may not see.
CREATE TRIGGER person_changed_told AFTER UPDATE ON person FOR EACH ROW WHEN (((((((old.person_name IS DISTINCT FROM new.person_name) OR (old.person_email IS DISTINCT FROM new.person_email)) OR (old.person_img IS DISTINCT FROM new.person_img)) OR (old.person_hyper IS DISTINCT FROM new.person_hyper)) OR (old.person_verified IS DISTINCT FROM new.person_verified)) OR (old.person_idle_time IS DISTINCT FROM new.person_idle_time))) EXECUTE FUNCTION person_told();
-- Derived: a copy of the idle time, by which sessions end; portcullis_web cannot write them.
CREATE TRIGGER person_idle_time_reaches_sessions AFTER UPDATE OF person_idle_time ON person FOR EACH ROW WHEN ((new.person_idle_time <> old.person_idle_time)) EXECUTE FUNCTION idle_time_reaches_sessions();
-- Security: after a new password, however it was set, no earlier link and no change of email is valid.
CREATE TRIGGER person_password_changed AFTER UPDATE OF person_password_hash ON person FOR EACH ROW WHEN ((new.person_password_hash IS DISTINCT FROM old.person_password_hash)) EXECUTE FUNCTION person_password_changed();

create table policy (
  policy_root integer not null,
  policy_version bigint not null,
  policy_compiled_version bigint default 0 not null,
  policy_awaited_version bigint,
  policy_awaited_at timestamp with time zone,
  constraint policy_pkey PRIMARY KEY (policy_root),
  constraint policy_policy_root_fkey FOREIGN KEY (policy_root) REFERENCES account(account_key) ON DELETE CASCADE
);
grant delete, insert, select, update on policy to portcullis_system;
grant select on policy to portcullis_web;

create table recovery_code (
  recovery_code_person uuid not null,
  recovery_code_hash bytea not null,
  constraint recovery_code_pkey PRIMARY KEY (recovery_code_person, recovery_code_hash),
  constraint recovery_code_recovery_code_person_fkey FOREIGN KEY (recovery_code_person) REFERENCES person(person_id) ON DELETE CASCADE
);
grant delete, insert, select, update on recovery_code to portcullis_system;

create table remembered_columns (
  remembered_columns_person uuid not null,
  remembered_columns_list text not null,
  remembered_columns_keys text[] not null,
  constraint remembered_columns_pkey PRIMARY KEY (remembered_columns_person, remembered_columns_list),
  constraint remembered_columns_remembered_columns_person_fkey FOREIGN KEY (remembered_columns_person) REFERENCES person(person_id) ON DELETE CASCADE
);
grant delete, insert, select, update on remembered_columns to portcullis_system;

create table report (
  report_id uuid not null,
  report_account integer not null,
  report_version integer default 1 not null,
  report_created_at timestamp with time zone default now() not null,
  report_updated_at timestamp with time zone default now() not null,
  report_name text not null,
  report_filter jsonb not null,
  constraint report_pkey PRIMARY KEY (report_id),
  constraint report_report_account_fkey FOREIGN KEY (report_account) REFERENCES account(account_key)
);
alter table report enable row level security, force row level security;
CREATE INDEX report_by_account ON report USING btree (report_account, report_id);
create policy report_in_sight on report for all to portcullis_web using ((report_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy report_system on report for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on report to portcullis_system;
grant delete, insert, select, update on report to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER report_moved AFTER UPDATE OF report_account ON report FOR EACH ROW WHEN ((old.report_account <> new.report_account)) EXECUTE FUNCTION item_moved('reports', 'f');

create table rule (
  rule_id uuid not null,
  rule_account integer not null,
  rule_version integer default 1 not null,
  rule_created_at timestamp with time zone default now() not null,
  rule_updated_at timestamp with time zone default now() not null,
  rule_name text not null,
  rule_effect text not null,
  rule_schedule uuid,
  rule_direction text not null,
  rule_adhoc jsonb,
  rule_adhoc_from timestamp with time zone generated always as (moment_of((rule_adhoc ->> 'from'::text))) stored,
  rule_adhoc_until timestamp with time zone generated always as (moment_of((rule_adhoc ->> 'until'::text))) stored,
  rule_enabled boolean not null,
  rule_note text,
  rule_guest uuid,
  constraint rule_pkey PRIMARY KEY (rule_id),
  constraint rule_rule_account_fkey FOREIGN KEY (rule_account) REFERENCES account(account_key),
  constraint rule_rule_schedule_fkey FOREIGN KEY (rule_schedule) REFERENCES schedule(schedule_id),
  constraint rule_rule_direction_check CHECK ((rule_direction = ANY (ARRAY['entry'::text, 'exit'::text, 'both'::text]))),
  constraint rule_rule_effect_check CHECK ((rule_effect = ANY (ARRAY['allow'::text, 'deny'::text])))
);
alter table rule enable row level security, force row level security;
CREATE INDEX rule_by_account ON rule USING btree (rule_account, rule_id);
CREATE INDEX rule_by_schedule ON rule USING btree (rule_schedule);
CREATE INDEX rule_for_a_time ON rule USING btree (rule_account, rule_adhoc_until DESC, rule_id DESC) WHERE (rule_adhoc_until IS NOT NULL);
create policy rule_in_sight on rule for all to portcullis_web using ((rule_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy rule_system on rule for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on rule to portcullis_system;
grant delete, insert, select, update on rule to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER rule_moved AFTER UPDATE OF rule_account ON rule FOR EACH ROW WHEN ((old.rule_account <> new.rule_account)) EXECUTE FUNCTION item_moved('rules', 't');

create table saved_view (
  saved_view_id uuid not null,
  saved_view_account integer not null,
  saved_view_owner uuid not null,
  saved_view_version integer default 1 not null,
  saved_view_list text not null,
  saved_view_name text not null,
  saved_view_query jsonb not null,
  saved_view_shared boolean not null,
  constraint saved_view_pkey PRIMARY KEY (saved_view_id),
  constraint saved_view_name_taken UNIQUE (saved_view_account, saved_view_list, saved_view_owner, saved_view_name),
  constraint saved_view_saved_view_account_fkey FOREIGN KEY (saved_view_account) REFERENCES account(account_key) ON DELETE CASCADE,
  constraint saved_view_saved_view_owner_fkey FOREIGN KEY (saved_view_owner) REFERENCES person(person_id) ON DELETE CASCADE
);
alter table saved_view enable row level security, force row level security;
CREATE INDEX saved_view_by_owner ON saved_view USING btree (saved_view_owner);
create policy saved_view_in_sight on saved_view for all to portcullis_web using ((saved_view_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy saved_view_system on saved_view for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on saved_view to portcullis_system;
grant delete, insert, select, update on saved_view to portcullis_web;

create table schedule (
  schedule_id uuid not null,
  schedule_account integer not null,
  schedule_version integer default 1 not null,
  schedule_created_at timestamp with time zone default now() not null,
  schedule_updated_at timestamp with time zone default now() not null,
  schedule_name text not null,
  schedule_windows jsonb not null,
  schedule_holiday_hours jsonb not null,
  constraint schedule_pkey PRIMARY KEY (schedule_id),
  constraint schedule_schedule_account_fkey FOREIGN KEY (schedule_account) REFERENCES account(account_key)
);
alter table schedule enable row level security, force row level security;
CREATE INDEX schedule_by_account ON schedule USING btree (schedule_account, schedule_id);
create policy schedule_in_sight on schedule for all to portcullis_web using ((schedule_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy schedule_system on schedule for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on schedule to portcullis_system;
grant delete, insert, select, update on schedule to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER schedule_moved AFTER UPDATE OF schedule_account ON schedule FOR EACH ROW WHEN ((old.schedule_account <> new.schedule_account)) EXECUTE FUNCTION item_moved('schedules', 't');

create table sealed_number (
  sealed_number_credential uuid not null,
  sealed_number_account integer not null,
  sealed_number_hash bytea not null,
  sealed_number_value bytea not null,
  sealed_number_deleted_at timestamp with time zone,
  constraint sealed_number_pkey PRIMARY KEY (sealed_number_credential)
);
alter table sealed_number enable row level security, force row level security;
CREATE UNIQUE INDEX sealed_number_taken ON sealed_number USING btree (sealed_number_account, sealed_number_hash) WHERE (sealed_number_deleted_at IS NULL);
create policy sealed_number_in_sight on sealed_number for all to portcullis_web using ((sealed_number_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy sealed_number_system on sealed_number for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on sealed_number to portcullis_system;
grant delete, insert, select (sealed_number_account, sealed_number_credential, sealed_number_deleted_at, sealed_number_hash), update on sealed_number to portcullis_web;

create table session (
  session_token_hash bytea not null,
  session_id uuid default gen_random_uuid() not null,
  session_person uuid not null,
  session_created_at timestamp with time zone default now() not null,
  session_last_activity_at timestamp with time zone default now() not null,
  session_idle_time integer default 300 not null,
  session_confirmed_at timestamp with time zone default now() not null,
  session_owes_code boolean default false not null,
  session_tries integer default 0 not null,
  session_previous_token_hash bytea,
  session_previous_until timestamp with time zone,
  session_ended_at timestamp with time zone,
  session_address text,
  session_device text,
  constraint session_pkey PRIMARY KEY (session_token_hash),
  constraint session_session_person_fkey FOREIGN KEY (session_person) REFERENCES person(person_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX session_by_id ON session USING btree (session_id);
CREATE INDEX session_by_person ON session USING btree (session_person);
CREATE UNIQUE INDEX session_by_previous_token ON session USING btree (session_previous_token_hash) WHERE (session_previous_token_hash IS NOT NULL);
grant delete, insert, select, update on session to portcullis_system;

create table sign_in_failure (
  sign_in_failure_key text not null,
  sign_in_failure_try uuid,
  sign_in_failure_at timestamp with time zone default now() not null
);
CREATE INDEX sign_in_failure_by_key ON sign_in_failure USING btree (sign_in_failure_key, sign_in_failure_at);
CREATE INDEX sign_in_failure_oldest ON sign_in_failure USING btree (sign_in_failure_at);
grant delete, insert, select, update on sign_in_failure to portcullis_system;

create table site (
  site_id uuid not null,
  site_account integer not null,
  site_version integer default 1 not null,
  site_created_at timestamp with time zone default now() not null,
  site_updated_at timestamp with time zone default now() not null,
  site_name text not null,
  site_time_zone text not null,
  site_address text,
  site_location jsonb,
  site_calendars jsonb default '[]'::jsonb not null,
  constraint site_pkey PRIMARY KEY (site_id),
  constraint site_site_account_fkey FOREIGN KEY (site_account) REFERENCES account(account_key)
);
alter table site enable row level security, force row level security;
CREATE INDEX site_by_account ON site USING btree (site_account, site_id);
create policy site_in_sight on site for all to portcullis_web using ((site_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy site_system on site for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on site to portcullis_system;
grant delete, insert, select, update on site to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER site_moved AFTER UPDATE OF site_account ON site FOR EACH ROW WHEN ((old.site_account <> new.site_account)) EXECUTE FUNCTION item_moved('sites', 't');

create table site_group (
  site_group_id uuid not null,
  site_group_account integer not null,
  site_group_version integer default 1 not null,
  site_group_created_at timestamp with time zone default now() not null,
  site_group_updated_at timestamp with time zone default now() not null,
  site_group_name text not null,
  constraint site_group_pkey PRIMARY KEY (site_group_id),
  constraint site_group_site_group_account_fkey FOREIGN KEY (site_group_account) REFERENCES account(account_key)
);
alter table site_group enable row level security, force row level security;
CREATE INDEX site_group_by_account ON site_group USING btree (site_group_account, site_group_id);
create policy site_group_in_sight on site_group for all to portcullis_web using ((site_group_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy site_group_system on site_group for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on site_group to portcullis_system;
grant delete, insert, select, update on site_group to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER site_group_moved AFTER UPDATE OF site_group_account ON site_group FOR EACH ROW WHEN ((old.site_group_account <> new.site_group_account)) EXECUTE FUNCTION item_moved('siteGroups', 't');

create table task (
  task_id uuid not null,
  task_account integer not null,
  task_type text not null,
  task_status text not null,
  task_user uuid not null,
  task_user_name text not null,
  task_door uuid not null,
  task_door_name text not null,
  task_site_name text not null,
  task_created_at timestamp with time zone default now() not null,
  task_data jsonb not null,
  task_expires_at timestamp with time zone default (now() + '00:01:00'::interval) not null,
  task_unit uuid,
  task_unit_door integer,
  task_decided_by uuid,
  task_decided_by_name text,
  task_decided_at timestamp with time zone,
  task_command uuid,
  task_delivery text,
  task_delivery_detail text,
  task_sent_at timestamp with time zone,
  task_opened_at timestamp with time zone,
  task_unit_request uuid,
  task_answered_at timestamp with time zone,
  task_note text,
  constraint task_pkey PRIMARY KEY (task_id),
  constraint task_task_account_fkey FOREIGN KEY (task_account) REFERENCES account(account_key),
  constraint task_task_delivery_check CHECK ((task_delivery = ANY (ARRAY['waiting'::text, 'sent'::text, 'opened'::text, 'not_delivered'::text]))),
  constraint task_task_status_check CHECK ((task_status = ANY (ARRAY['Requested'::text, 'Granted'::text, 'Denied'::text, 'Expired'::text]))),
  constraint task_task_type_check CHECK ((task_type = 'RemoteAuthRequest'::text))
);
alter table task enable row level security, force row level security;
CREATE INDEX task_by_status ON task USING btree (task_account, task_status, task_created_at DESC);
CREATE INDEX task_in_time ON task USING btree (task_created_at DESC, task_id DESC, task_account DESC);
CREATE INDEX task_newest ON task USING btree (task_account, task_created_at DESC, task_id DESC);
CREATE UNIQUE INDEX task_of_command ON task USING btree (task_command) WHERE (task_command IS NOT NULL);
CREATE UNIQUE INDEX task_of_unit_request ON task USING btree (task_unit, task_unit_request) WHERE (task_unit_request IS NOT NULL);
CREATE INDEX task_waiting ON task USING btree (task_expires_at) WHERE (task_status = 'Requested'::text);
create policy task_in_sight on task for all to portcullis_web using ((task_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy task_system on task for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on task to portcullis_system;
grant select on task to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER task_moved AFTER UPDATE OF task_account ON task FOR EACH ROW WHEN ((old.task_account <> new.task_account)) EXECUTE FUNCTION item_moved('tasks', 'f');

create table tenant (
  tenant_id uuid not null,
  tenant_account integer not null,
  tenant_version integer default 1 not null,
  tenant_created_at timestamp with time zone default now() not null,
  tenant_updated_at timestamp with time zone default now() not null,
  tenant_name text not null,
  tenant_provider text not null,
  tenant_enabled boolean not null,
  constraint tenant_pkey PRIMARY KEY (tenant_id),
  constraint tenant_tenant_account_fkey FOREIGN KEY (tenant_account) REFERENCES account(account_key),
  constraint tenant_tenant_provider_check CHECK ((tenant_provider = ANY (ARRAY['oidc'::text, 'saml'::text])))
);
alter table tenant enable row level security, force row level security;
CREATE INDEX tenant_by_account ON tenant USING btree (tenant_account, tenant_id);
create policy tenant_in_sight on tenant for all to portcullis_web using ((tenant_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy tenant_system on tenant for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on tenant to portcullis_system;
grant delete, insert, select, update on tenant to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER tenant_moved AFTER UPDATE OF tenant_account ON tenant FOR EACH ROW WHEN ((old.tenant_account <> new.tenant_account)) EXECUTE FUNCTION item_moved('tenants', 'f');

create table unit (
  unit_id uuid not null,
  unit_account integer not null,
  unit_version integer default 1 not null,
  unit_created_at timestamp with time zone default now() not null,
  unit_updated_at timestamp with time zone default now() not null,
  unit_name text not null,
  unit_serial text not null,
  unit_site uuid,
  unit_model text,
  unit_in_service boolean default true not null,
  unit_driver text default 'portcullis'::text not null,
  unit_enrolled_at timestamp with time zone,
  constraint unit_pkey PRIMARY KEY (unit_id),
  constraint unit_serial_taken UNIQUE (unit_account, unit_serial),
  constraint unit_unit_account_fkey FOREIGN KEY (unit_account) REFERENCES account(account_key),
  constraint unit_unit_site_fkey FOREIGN KEY (unit_site) REFERENCES site(site_id),
  constraint unit_unit_driver_check CHECK ((unit_driver = 'portcullis'::text))
);
alter table unit enable row level security, force row level security;
CREATE INDEX unit_by_account ON unit USING btree (unit_account, unit_id);
CREATE INDEX unit_by_site ON unit USING btree (unit_site);
create policy unit_in_sight on unit for all to portcullis_web using ((unit_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy unit_system on unit for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on unit to portcullis_system;
grant delete, insert, select, update on unit to portcullis_web;
-- Derived: every unit has a state.
CREATE TRIGGER unit_has_state AFTER INSERT ON unit FOR EACH ROW EXECUTE FUNCTION unit_has_state();
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER unit_moved AFTER UPDATE OF unit_account ON unit FOR EACH ROW WHEN ((old.unit_account <> new.unit_account)) EXECUTE FUNCTION item_moved('units', 't');
-- Recorded: the key, the codes and the desired configuration of a revoked unit are deleted.
CREATE TRIGGER unit_revoked AFTER UPDATE OF unit_enrolled_at ON unit FOR EACH ROW WHEN (((old.unit_enrolled_at IS NOT NULL) AND (new.unit_enrolled_at IS NULL))) EXECUTE FUNCTION revoke_unit();
-- Derived: a copy of the account, which row level security reads; portcullis_web cannot write states.
CREATE TRIGGER unit_state_moved_along AFTER UPDATE OF unit_account ON unit FOR EACH ROW WHEN ((old.unit_account <> new.unit_account)) EXECUTE FUNCTION state_moved_along();

create table unit_command (
  unit_command_id uuid not null,
  unit_command_account integer not null,
  unit_command_unit uuid not null,
  unit_command_door uuid not null,
  unit_command_unit_door integer not null,
  unit_command_action text not null,
  unit_command_status text default 'requested'::text not null,
  unit_command_detail text,
  unit_command_requested_by uuid,
  unit_command_requested_at timestamp with time zone default now() not null,
  unit_command_expires_at timestamp with time zone not null,
  unit_command_sent_at timestamp with time zone,
  unit_command_ended_at timestamp with time zone,
  unit_command_actor jsonb,
  constraint unit_command_pkey PRIMARY KEY (unit_command_id),
  constraint unit_command_unit_command_account_fkey FOREIGN KEY (unit_command_account) REFERENCES account(account_key) ON DELETE CASCADE,
  constraint unit_command_unit_command_action_check CHECK ((unit_command_action = 'unlockOnce'::text)),
  constraint unit_command_unit_command_status_check CHECK ((unit_command_status = ANY (ARRAY['requested'::text, 'sent'::text, 'confirmed'::text, 'refused'::text, 'expired'::text, 'not_delivered'::text])))
);
alter table unit_command enable row level security, force row level security;
CREATE INDEX unit_command_by_requester ON unit_command USING btree (unit_command_requested_by, unit_command_door, unit_command_requested_at);
CREATE INDEX unit_command_ended ON unit_command USING btree (unit_command_ended_at);
CREATE INDEX unit_command_open ON unit_command USING btree (unit_command_unit, unit_command_expires_at) WHERE (unit_command_status = ANY (ARRAY['requested'::text, 'sent'::text]));
create policy unit_command_in_sight on unit_command for all to portcullis_web using ((unit_command_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy unit_command_system on unit_command for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on unit_command to portcullis_system;
grant select on unit_command to portcullis_web;
-- Derived: a request shows the delivery of its command, whichever of gateway, job and call changed that.
CREATE TRIGGER task_follows_command AFTER UPDATE OF unit_command_status ON unit_command FOR EACH ROW WHEN ((old.unit_command_status <> new.unit_command_status)) EXECUTE FUNCTION task_follows_command();

create table unit_config (
  unit_config_unit uuid not null,
  unit_config_version integer not null,
  unit_config_policy_version bigint not null,
  unit_config_hash text not null,
  unit_config_body bytea,
  unit_config_made_at timestamp with time zone default now() not null,
  unit_config_replaced_at timestamp with time zone,
  unit_config_pieces jsonb,
  unit_config_base integer,
  unit_config_delta bytea,
  unit_config_bytes integer,
  constraint unit_config_pkey PRIMARY KEY (unit_config_unit, unit_config_version),
  constraint unit_config_unit_config_unit_fkey FOREIGN KEY (unit_config_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on unit_config to portcullis_system;

create table unit_config_piece (
  unit_config_piece_unit uuid not null,
  unit_config_piece_digest text not null,
  unit_config_piece_text text not null,
  constraint unit_config_piece_pkey PRIMARY KEY (unit_config_piece_unit, unit_config_piece_digest),
  constraint unit_config_piece_unit_config_piece_unit_fkey FOREIGN KEY (unit_config_piece_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on unit_config_piece to portcullis_system;

create table unit_enrolment (
  unit_enrolment_code_hash bytea not null,
  unit_enrolment_unit uuid not null,
  unit_enrolment_expires_at timestamp with time zone not null,
  unit_enrolment_used_at timestamp with time zone,
  constraint unit_enrolment_pkey PRIMARY KEY (unit_enrolment_code_hash),
  constraint unit_enrolment_unit_enrolment_unit_fkey FOREIGN KEY (unit_enrolment_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on unit_enrolment to portcullis_system;

create table unit_mark (
  unit_mark_unit uuid not null,
  unit_mark_log uuid not null,
  unit_mark_seq bigint not null,
  constraint unit_mark_pkey PRIMARY KEY (unit_mark_unit, unit_mark_log),
  constraint unit_mark_unit_mark_unit_fkey FOREIGN KEY (unit_mark_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on unit_mark to portcullis_system;

create table unit_secret (
  unit_secret_unit uuid not null,
  unit_secret_public_key bytea not null,
  unit_secret_secret bytea not null,
  unit_secret_server_key bytea,
  constraint unit_secret_pkey PRIMARY KEY (unit_secret_unit),
  constraint unit_secret_unit_secret_unit_fkey FOREIGN KEY (unit_secret_unit) REFERENCES unit(unit_id) ON DELETE CASCADE
);
grant delete, insert, select, update on unit_secret to portcullis_system;

create table unit_state (
  unit_state_id uuid not null,
  unit_state_account integer not null,
  unit_state_status text default 'never_seen'::text not null,
  unit_state_last_heartbeat_at timestamp with time zone,
  unit_state_firmware text,
  unit_state_address text,
  unit_state_desired_version integer,
  unit_state_applied_version integer,
  unit_state_applied_at timestamp with time zone,
  unit_state_rejection text,
  unit_state_clock_offset_ms bigint,
  unit_state_capacity jsonb,
  unit_state_config_size jsonb,
  unit_state_pending_events integer,
  unit_state_event_delay_ms integer,
  unit_state_backfilled_up_to timestamp with time zone,
  unit_state_lease_holder uuid,
  unit_state_lease_until timestamp with time zone,
  unit_state_fault text,
  unit_state_raised_at timestamp with time zone,
  unit_state_heartbeat_request uuid,
  unit_state_heartbeat_requested_at timestamp with time zone,
  unit_state_heartbeat_answered_at timestamp with time zone,
  unit_state_takes_deltas boolean default false not null,
  unit_state_out_of_sync_since timestamp with time zone,
  unit_state_out_of_sync_reported boolean default false not null,
  unit_state_clock_wrong_since timestamp with time zone,
  unit_state_clock_wrong_seen_at timestamp with time zone,
  unit_state_capacity_exceeded_since timestamp with time zone,
  unit_state_capacity_exceeded_seen_at timestamp with time zone,
  unit_state_tampered_since timestamp with time zone,
  unit_state_on_battery_since timestamp with time zone,
  unit_state_left_out jsonb,
  unit_state_compiled_capacity jsonb,
  unit_state_connection text,
  constraint unit_state_pkey PRIMARY KEY (unit_state_id),
  constraint unit_state_unit_state_id_fkey FOREIGN KEY (unit_state_id) REFERENCES unit(unit_id) ON DELETE CASCADE,
  constraint unit_state_unit_state_fault_check CHECK ((unit_state_fault = ANY (ARRAY['not_compiled'::text, 'implausible_version'::text, 'behind_policy'::text]))),
  constraint unit_state_unit_state_status_check CHECK ((unit_state_status = ANY (ARRAY['never_seen'::text, 'online'::text, 'offline'::text])))
);
alter table unit_state enable row level security, force row level security;
CREATE INDEX unit_state_faults ON unit_state USING btree (unit_state_fault) WHERE (unit_state_fault IS NOT NULL);
CREATE INDEX unit_state_online_until ON unit_state USING btree (unit_state_lease_until) WHERE (unit_state_status = 'online'::text);
CREATE INDEX unit_state_sync_changes ON unit_state USING btree (unit_state_id) WHERE ((((unit_state_fault IS NOT NULL) OR ((unit_state_desired_version IS NOT NULL) AND (unit_state_desired_version IS DISTINCT FROM unit_state_applied_version))) <> (unit_state_out_of_sync_since IS NOT NULL)) OR ((unit_state_out_of_sync_since IS NOT NULL) AND (NOT unit_state_out_of_sync_reported)));
create policy unit_state_in_sight on unit_state for all to portcullis_web using ((unit_state_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy unit_state_system on unit_state for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on unit_state to portcullis_system;
grant insert, select on unit_state to portcullis_web;

create table user_group (
  user_group_id uuid not null,
  user_group_account integer not null,
  user_group_version integer default 1 not null,
  user_group_created_at timestamp with time zone default now() not null,
  user_group_updated_at timestamp with time zone default now() not null,
  user_group_name text not null,
  constraint user_group_pkey PRIMARY KEY (user_group_id),
  constraint user_group_user_group_account_fkey FOREIGN KEY (user_group_account) REFERENCES account(account_key)
);
alter table user_group enable row level security, force row level security;
CREATE INDEX user_group_by_account ON user_group USING btree (user_group_account, user_group_id);
create policy user_group_in_sight on user_group for all to portcullis_web using ((user_group_account = ANY (( SELECT (NULLIF(current_setting('app.accounts'::text, true), ''::text))::integer[] AS "nullif")::integer[])));
create policy user_group_system on user_group for all to portcullis_system using (true) with check (true);
grant delete, insert, select, update on user_group to portcullis_system;
grant delete, insert, select, update on user_group to portcullis_web;
-- Recorded: in the outbox, the item leaves one account and enters another.
CREATE TRIGGER user_group_moved AFTER UPDATE OF user_group_account ON user_group FOR EACH ROW WHEN ((old.user_group_account <> new.user_group_account)) EXECUTE FUNCTION item_moved('userGroups', 't');

create view audit_log with (security_invoker=true) as
 SELECT history_id AS audit_log_id,
    history_account AS audit_log_account,
    history_collection AS audit_log_collection,
    history_item AS audit_log_item,
    history_action AS audit_log_action,
    history_before AS audit_log_before,
    history_after AS audit_log_after,
    history_actor AS audit_log_actor,
    history_actor_name AS audit_log_actor_name,
    history_assumed_account_id AS audit_log_assumed_account,
    history_at AS audit_log_at,
    history_request AS audit_log_request_id,
    history_policy_version AS audit_log_policy_version,
    history_undoes AS audit_log_undoes,
    history_position AS audit_log_position,
    history_assumption AS audit_log_assumption,
    history_reason AS audit_log_reason
   FROM history;
grant select on audit_log to portcullis_system;
grant select on audit_log to portcullis_web;

create view live_session as
 SELECT open_session.open_session_token_hash AS live_session_token_hash,
    open_session.open_session_person AS live_session_person,
    open_session.open_session_id AS live_session_id,
    open_session.open_session_owes_code AS live_session_owes_code,
    open_session.open_session_confirmed_at AS live_session_confirmed_at,
    open_session.open_session_ends_at AS live_session_ends_at
   FROM open_session
UNION ALL
 SELECT open_session.open_session_previous_token_hash AS live_session_token_hash,
    open_session.open_session_person AS live_session_person,
    open_session.open_session_id AS live_session_id,
    open_session.open_session_owes_code AS live_session_owes_code,
    '-infinity'::timestamp with time zone AS live_session_confirmed_at,
    open_session.open_session_ends_at AS live_session_ends_at
   FROM open_session
  WHERE ((open_session.open_session_previous_token_hash IS NOT NULL) AND (open_session.open_session_previous_until > now()));
grant select on live_session to portcullis_system;

create view open_session as
 SELECT session_id AS open_session_id,
    session_person AS open_session_person,
    session_token_hash AS open_session_token_hash,
    session_owes_code AS open_session_owes_code,
    session_previous_token_hash AS open_session_previous_token_hash,
    session_previous_until AS open_session_previous_until,
    session_confirmed_at AS open_session_confirmed_at,
        CASE
            WHEN session_owes_code THEN (session_created_at + '00:05:00'::interval)
            ELSE LEAST((session_created_at + '12:00:00'::interval), (session_last_activity_at + make_interval(secs => ((session_idle_time + 60))::double precision)))
        END AS open_session_ends_at
   FROM session
  WHERE ((session_ended_at IS NULL) AND
        CASE
            WHEN session_owes_code THEN (session_created_at > (now() - '00:05:00'::interval))
            ELSE ((session_created_at > (now() - '12:00:00'::interval)) AND (session_last_activity_at > (now() - make_interval(secs => ((session_idle_time + 60))::double precision))))
        END);
grant select on open_session to portcullis_system;

create view unit_config_whole with (security_invoker=true) as
 SELECT unit_config_unit,
    unit_config_version,
    COALESCE(unit_config_bytes, octet_length(unit_config_body)) AS unit_config_bytes,
    COALESCE(convert_from(unit_config_body, 'utf8'::name), ( SELECT (('{'::text || string_agg(
                CASE sections.section
                    WHEN 'head'::text THEN sections.entries
                    ELSE (((('"'::text || sections.section) || '":{'::text) || sections.entries) || '}'::text)
                END, ','::text ORDER BY sections.place)) || '}'::text)
           FROM ( SELECT named.section,
                    min(listed.place) AS place,
                    count(*) AS found,
                    string_agg(unit_config_piece.unit_config_piece_text, ','::text ORDER BY listed.place) AS entries
                   FROM (jsonb_array_elements(unit_config.unit_config_pieces) WITH ORDINALITY listed(piece, place)
                     JOIN unit_config_piece ON (((unit_config_piece.unit_config_piece_unit = unit_config.unit_config_unit) AND (unit_config_piece.unit_config_piece_digest = (listed.piece ->> 'digest'::text))))),
                    LATERAL ( SELECT (listed.piece ->> 'section'::text) AS section) named
                  GROUP BY named.section) sections
         HAVING (sum(sections.found) = (jsonb_array_length(unit_config.unit_config_pieces))::numeric))) AS unit_config_text
   FROM unit_config;
grant select on unit_config_whole to portcullis_system;

create view "user" with (security_invoker=true) as
 SELECT person.person_id AS user_id,
    membership.membership_account AS user_account,
    membership.membership_version AS user_version,
    membership.membership_created_at AS user_created_at,
    membership.membership_updated_at AS user_updated_at,
    person.person_name AS user_name,
    COALESCE(person.person_email, person.person_claimed_email) AS user_email,
    person.person_img AS user_img,
    person.person_hyper AS user_hyper,
    (person.person_verified AND (NOT membership.membership_waits)) AS user_verified,
    person.person_idle_time AS user_idle_time,
    membership.membership_role AS user_role,
    membership.membership_status AS user_status,
    membership.membership_title AS user_title,
    membership.membership_valid_from AS user_valid_from,
    membership.membership_valid_until AS user_valid_until,
    membership.membership_last_recertified_at AS user_last_recertified_at
   FROM (membership
     JOIN person ON ((person.person_id = membership.membership_user)));
grant delete, insert, select, update on "user" to portcullis_system;
grant delete, insert, select, update on "user" to portcullis_web;
-- Writable view: only the home account changes the identity, any other account only its membership.
CREATE TRIGGER user_changed INSTEAD OF UPDATE ON "user" FOR EACH ROW EXECUTE FUNCTION user_changed();
-- Writable view: a user is an identity and a membership.
CREATE TRIGGER user_created INSTEAD OF INSERT ON "user" FOR EACH ROW EXECUTE FUNCTION user_created();
-- Writable view: the membership ends, and the identity with the last one.
CREATE TRIGGER user_removed INSTEAD OF DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION user_removed();

CREATE OR REPLACE FUNCTION access_holds(token_hash bytea, person uuid, accounts integer[], since pg_snapshot, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (until is null or until > clock_timestamp())
    and (exists (select from live_session where live_session_token_hash = token_hash and live_session_person = person
                    and not live_session_owes_code)
      or exists (select from authorisation_epoch
                  where authorisation_epoch_person = person
                    and authorisation_epoch_xid = pg_current_xact_id_if_assigned()))
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_person = person and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
         and authorisation_epoch_xid is distinct from pg_current_xact_id_if_assigned())
    and not exists (
      select from authorisation_epoch
       where authorisation_epoch_account = any(accounts) and authorisation_epoch_xid >= pg_snapshot_xmin(since)
         and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
         and authorisation_epoch_xid is distinct from pg_current_xact_id_if_assigned());
end $function$;
revoke execute on function access_holds(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) from public;
grant execute on function access_holds(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) to portcullis_system;
grant execute on function access_holds(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) to portcullis_web;

CREATE OR REPLACE FUNCTION account_begins_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into authorisation_epoch (authorisation_epoch_account) values (new.account_key);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION account_closure_begins_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into authorisation_epoch (authorisation_epoch_account)
    values (coalesce(new.account_closure_ancestor, old.account_closure_ancestor)),
           (coalesce(new.account_closure_descendant, old.account_closure_descendant));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION account_comes_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  known int;
begin
  select account_gone_key into known from account_gone where account_gone_id = new.account_id;
  new.account_key := coalesce(known, new.account_key);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION account_enters_tree()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  parent_key int;
  visible text := current_setting('app.accounts', true);
begin
  new.account_account := new.account_key;
  if new.account_parent is null then
    new.account_root := new.account_key;
  else
    select account_key, account_root into parent_key, new.account_root
      from account where account_id = new.account_parent;
    if parent_key is null then
      raise exception 'The parent account is not there.' using errcode = 'PC404';
    end if;
  end if;
  -- Users who see the parent see the new account, so the accounts of this transaction include it from here on.
  if coalesce(visible, '') <> '' then
    perform set_config('app.accounts', (visible::int[] || new.account_key)::text, true);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION account_joins_closure()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into account_closure values (new.account_key, new.account_key, 0);
  if new.account_parent is null then
    insert into policy values (new.account_key, 1);
  else
    insert into account_closure
      select account_closure_ancestor, new.account_key, account_closure_depth + 1
        from account_closure join account parent on parent.account_key = account_closure_descendant
       where parent.account_id = new.account_parent;
  end if;
  return null;
end $function$;
alter function account_joins_closure() owner to portcullis_system;

CREATE OR REPLACE FUNCTION account_leaves()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into account_gone values (old.account_id, old.account_key) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION account_place_told()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  place account_closure := coalesce(new, old);
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select place.account_closure_ancestor, 'accounts', account_id, 'save', false from account
     where account_key = place.account_closure_descendant and place.account_closure_depth > 0;
  return null;
end $function$;
alter function account_place_told() owner to portcullis_system;

CREATE OR REPLACE FUNCTION account_suspension_ends_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update session set session_ended_at = now()
   where session_ended_at is null
     and session_person in (
       select membership_user from membership
         join account_closure on account_closure_descendant = membership_account
        where account_closure_ancestor = new.account_key)
     and not exists (select from person where person_id = session_person and person_hyper)
     and not exists (
       select from membership
        where membership_user = session_person and membership_status = 'active' and not membership_waits
          and not exists (select from account_closure upward
                            join account above on above.account_key = upward.account_closure_ancestor
                           where upward.account_closure_descendant = membership_account
                             and above.account_status = 'suspended'));
  return null;
end $function$;
alter function account_suspension_ends_sessions() owner to portcullis_system;

CREATE OR REPLACE FUNCTION account_told_above()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  action text := case tg_op when 'DELETE' then 'remove' else 'save' end;
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select account_closure_ancestor, 'accounts', old.account_id, action, false from account_closure
     where account_closure_descendant = old.account_key and account_closure_depth > 0;
  return case tg_op when 'DELETE' then old else new end;
end $function$;
alter function account_told_above() owner to portcullis_system;

CREATE OR REPLACE FUNCTION announce_moves(moving name, collection text, is_policy boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format(
    'create trigger %1$I after update of %2$I on %3$I for each row when (old.%2$I <> new.%2$I)
       execute function item_moved(%4$L, %5$L)',
    moving || '_moved', moving || '_account', moving, collection, is_policy);
  execute format('comment on trigger %I on %I is %L', moving || '_moved', moving,
    'Recorded: in the outbox, the item leaves one account and enters another.');
end $function$;
revoke execute on function announce_moves(name,text,boolean) from public;

CREATE OR REPLACE FUNCTION anti_passback_ends()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from passage where passage_area = new.door_group_id;
  return null;
end $function$;
alter function anti_passback_ends() owner to portcullis_system;

CREATE OR REPLACE FUNCTION assert_in_scope(accounts integer[])
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  visible int[] := coalesce(nullif(current_setting('app.accounts', true), ''), '{}')::int[];
begin
  if pg_has_role(session_user, 'portcullis_system', 'usage') then return; end if;
  if exists (select from (select distinct unnest(accounts)) named (account) where account <> all (visible)) then
    raise exception 'A change names an account that the transaction does not see.';
  end if;
end $function$;
alter function assert_in_scope(integer[]) owner to portcullis_system;
revoke execute on function assert_in_scope(integer[]) from public;

CREATE OR REPLACE FUNCTION authorisation_epochs_since(since pg_snapshot)
 RETURNS TABLE(person uuid, account integer, begun bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select authorisation_epoch_person, authorisation_epoch_account, max(authorisation_epoch_xid::text::bigint)
    from authorisation_epoch
   where authorisation_epoch_xid >= pg_snapshot_xmin(since)
     and not pg_visible_in_snapshot(authorisation_epoch_xid, since)
   group by 1, 2
$function$;
revoke execute on function authorisation_epochs_since(pg_snapshot) from public;
grant execute on function authorisation_epochs_since(pg_snapshot) to portcullis_system;

CREATE OR REPLACE FUNCTION count_membership_mail(recipient text, account integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  hour_ago timestamptz := now() - interval '1 hour';
begin
  perform pg_advisory_xact_lock(7361912, hashtext(recipient));
  if (select count(*) from membership_mail
       where membership_mail_to = recipient and membership_mail_created_at > hour_ago) >= 5
     or (select count(*) from membership_mail
          where membership_mail_account = account and membership_mail_created_at > hour_ago) >= 50 then
    return false;
  end if;
  insert into membership_mail (membership_mail_to, membership_mail_account) values (recipient, account);
  return true;
end $function$;
alter function count_membership_mail(text,integer) owner to portcullis_system;
revoke execute on function count_membership_mail(text,integer) from public;

CREATE OR REPLACE FUNCTION door_has_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into door_state (door_state_id, door_state_account) values (new.door_id, new.door_account);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION door_leaves_port()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into free_port (free_port_unit, free_port_number, free_port_door, free_port_mode_version)
    values (old.door_unit, old.door_unit_door, old.door_id, old.door_mode_version + 1)
    -- A report of the unit may have stored the port as free while the door took it.
    on conflict (free_port_unit, free_port_number) do update set free_port_door = excluded.free_port_door,
      free_port_mode_version = greatest(free_port.free_port_mode_version + 1, excluded.free_port_mode_version);
  return null;
end $function$;
alter function door_leaves_port() owner to portcullis_system;

CREATE OR REPLACE FUNCTION door_takes_port()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  last_version int;
begin
  delete from free_port where free_port_unit = new.door_unit and free_port_number = new.door_unit_door
    returning free_port_mode_version into last_version;
  if last_version is not null or (tg_op = 'UPDATE' and new.door_mode_version > 0) then
    new.door_mode_version := greatest(new.door_mode_version, last_version) + 1;
    new.door_mode_set_at := now();
  end if;
  return new;
end $function$;
alter function door_takes_port() owner to portcullis_system;

CREATE OR REPLACE FUNCTION drop_event_month(month timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  following timestamptz := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  owner name := current_user;
begin
  -- No other transaction may count or store events meanwhile; dropping a partition takes this lock anyway.
  lock table event in access exclusive mode;
  set local role portcullis_system;
  loop
    exit when fold_event_deltas(100000) = 0;
  end loop;
  with gone as (
    delete from event_total
     where event_total_day >= (month at time zone 'UTC')::date and event_total_day < (following at time zone 'UTC')::date
    returning *
  ), summed as (
    select event_total_account as account, event_total_door as door, event_total_type as type,
           sum(event_total_count) as count
      from gone group by 1, 2, 3
  )
  update event_total set event_total_count = event_total_count - summed.count from summed
   where event_total_account = summed.account and event_total_door is not distinct from summed.door
     and event_total_type is not distinct from summed.type and event_total_day is null;
  execute format('set local role %I', owner);
  execute format('drop table %I', 'event_' || to_char(month at time zone 'UTC', 'YYYY_MM'));
end $function$;
revoke execute on function drop_event_month(timestamp with time zone) from public;

CREATE OR REPLACE FUNCTION events_counted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'DELETE' then
    insert into event_delta
      select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), count(*)
        from came group by 1, 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into event_delta
      select event_account, event_door, event_type, date_trunc('hour', event_occurred_at, 'UTC'), -count(*)
        from went group by 1, 2, 3, 4;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION fold_event_deltas(most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  folded bigint;
begin
  with taken as (
    delete from event_delta where ctid = any (array(select ctid from event_delta limit most for update skip locked))
    returning *
  ), hourly as (
    select event_delta_account as account, event_delta_door as door, event_delta_type as type, event_delta_hour as hour,
           sum(event_delta_count)::bigint as change
      from taken
     group by event_delta_account, event_delta_hour,
              grouping sets ((event_delta_door, event_delta_type), (event_delta_door), (event_delta_type), ())
    -- What happened at no door is in the totals of all doors.
    having grouping(event_delta_door) = 1 or event_delta_door is not null
  ), summed as (
    select account, door, type, (hour at time zone 'UTC')::date as day, sum(change) as change,
           case when door is null then hour_counts(
             array_agg(extract(hour from hour at time zone 'UTC')::int), array_agg(change)) end as hours
      from hourly group by account, door, type, day
    union all
    select account, door, type, null, sum(change), null from hourly group by account, door, type
  ), written as (
    insert into event_total select * from summed order by account, door, type, day
      on conflict on constraint event_total_once
      do update set event_total_count = event_total.event_total_count + excluded.event_total_count,
                    event_total_hours = hour_sums(event_total.event_total_hours, excluded.event_total_hours)
  )
  select count(*) into folded from taken;
  return folded;
end $function$;
revoke execute on function fold_event_deltas(integer) from public;
grant execute on function fold_event_deltas(integer) to portcullis_system;

CREATE OR REPLACE FUNCTION free_policy_version(root integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from policy where policy_root = root for update skip locked;
  if not found then
    return null;
  end if;
  return next_policy_version(root);
end $function$;
alter function free_policy_version(integer) owner to portcullis_system;
revoke execute on function free_policy_version(integer) from public;
grant execute on function free_policy_version(integer) to portcullis_web;

CREATE OR REPLACE FUNCTION guard_by_account(guarded name, web_privileges text DEFAULT 'select, insert, update, delete'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format('alter table %I enable row level security', guarded);
  execute format('alter table %I force row level security', guarded);
  execute format(
    'create policy %I on %I to portcullis_web using (%I = any ((select nullif(current_setting(''app.accounts'', true), '''')::int[])::int[]))',
    guarded || '_in_sight', guarded, guarded || '_account');
  execute format('create policy %I on %I to portcullis_system using (true) with check (true)', guarded || '_system', guarded);
  execute format('grant %s on %I to portcullis_web', web_privileges, guarded);
  execute format('grant select, insert, update, delete on %I to portcullis_system', guarded);
end $function$;
revoke execute on function guard_by_account(name,text) from public;

CREATE OR REPLACE FUNCTION hour_counts(hours integer[], counts bigint[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select array_agg(coalesce(count, 0)::int order by hour)
    from generate_series(0, 23) hour left join unnest(hours, counts) counted (hour, count) using (hour)
$function$;

CREATE OR REPLACE FUNCTION hour_sums(one integer[], other integer[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select array_agg(a + b order by place) from unnest(one, other) with ordinality counted (a, b, place)
$function$;

CREATE OR REPLACE FUNCTION idle_time_reaches_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update session set session_idle_time = new.person_idle_time
   where session_person = new.person_id and session_ended_at is null;
  return null;
end $function$;
alter function idle_time_reaches_sessions() owner to portcullis_system;

CREATE OR REPLACE FUNCTION interlock_begins()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from came where link_field = 'doors' and link_kind = 'doors') then
    delete from interlock_state where interlock_state_door in (
      select interlock_state_door from interlock_state where interlock_state_door in (
        select link_target from link where link_field = 'doors' and link_owner in (
          select link_owner from came where link_field = 'doors' and link_kind = 'doors'))
       order by interlock_state_door for update);
  end if;
  return null;
end $function$;
alter function interlock_begins() owner to portcullis_system;

CREATE OR REPLACE FUNCTION invite_member(invitation uuid, mail uuid, invited uuid, account integer, token_hash bytea, inviter text, address text, content jsonb, days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  identity uuid;
  recipient text;
  is_mailed boolean;
begin
  select coalesce(other.person_id, own.person_id), coalesce(other.person_email, own.person_email)
    into identity, recipient
    from person own join membership on membership_user = own.person_id
    left join person other on other.person_email = own.person_claimed_email
   where own.person_id = invited and membership_account = account and membership_waits;
  if not found then return; end if;
  is_mailed := recipient is not null and count_membership_mail(recipient, account);
  if not is_mailed and exists (
       select from membership_invitation
        where membership_invitation_user = invited and membership_invitation_account = account
          and membership_invitation_ended_at is null) then
    return;
  end if;
  update membership_invitation set membership_invitation_ended_at = now()
   where membership_invitation_user = invited and membership_invitation_account = account
     and membership_invitation_ended_at is null;
  insert into membership_invitation (membership_invitation_id, membership_invitation_token_hash,
      membership_invitation_person, membership_invitation_user, membership_invitation_account,
      membership_invitation_invited_by_name, membership_invitation_address, membership_invitation_expires_at)
    values (invitation, token_hash, identity, invited, account, inviter, address, now() + make_interval(days => days));
  insert into mail (mail_id, mail_person, mail_to_name, mail_to_address, mail_kind, mail_content)
    select mail, person_id, person_name, person_email, content ->> 'kind', content
      from person where person_id = identity and is_mailed;
end $function$;
alter function invite_member(uuid,uuid,uuid,integer,bytea,text,text,jsonb,integer) owner to portcullis_system;
revoke execute on function invite_member(uuid,uuid,uuid,integer,bytea,text,text,jsonb,integer) from public;
grant execute on function invite_member(uuid,uuid,uuid,integer,bytea,text,text,jsonb,integer) to portcullis_web;

CREATE OR REPLACE FUNCTION item_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  item uuid := (to_jsonb(new) ->> (tg_table_name || '_id'))::uuid;
  left_account int := (to_jsonb(old) ->> (tg_table_name || '_account'))::int;
  entered_account int := (to_jsonb(new) ->> (tg_table_name || '_account'))::int;
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    values (left_account, tg_argv[0], item, 'remove', tg_argv[1]::boolean),
           (entered_account, tg_argv[0], item, 'save', tg_argv[1]::boolean);
  return null;
end $function$;
alter function item_moved() owner to portcullis_system;

CREATE OR REPLACE FUNCTION link_kept_in_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
                            link_history_target, link_history_action)
    select link_account, link_owner, link_field, link_kind, link_target, tg_argv[0] from changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION membership_begins_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into authorisation_epoch (authorisation_epoch_person)
    values (coalesce(new.membership_user, old.membership_user));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION moment_of(text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET "TimeZone" TO 'UTC'
AS $function$select $1::timestamptz$function$;

CREATE OR REPLACE FUNCTION move_account(moved integer, below integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  visible int[] := nullif(current_setting('app.accounts', true), '')::int[];
begin
  if visible is null or not visible @> array[moved, below] then
    raise exception 'The account is not there.' using errcode = 'PC404';
  end if;
  if exists (select from account_closure where account_closure_ancestor = moved and account_closure_descendant = below) then
    raise exception 'An account does not lie below itself.' using errcode = 'PC422', constraint = 'account_below_itself';
  end if;
  delete from account_closure
   where account_closure_descendant in (select account_closure_descendant from account_closure
                                         where account_closure_ancestor = moved)
     and account_closure_ancestor in (select account_closure_ancestor from account_closure
                                       where account_closure_descendant = moved and account_closure_depth > 0);
  insert into account_closure
    select above.account_closure_ancestor, under.account_closure_descendant,
           above.account_closure_depth + under.account_closure_depth + 1
      from account_closure above, account_closure under
     where above.account_closure_descendant = below and under.account_closure_ancestor = moved;
end $function$;
revoke execute on function move_account(integer,integer) from public;
grant execute on function move_account(integer,integer) to portcullis_web;

CREATE OR REPLACE FUNCTION move_home(id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update person set person_home = membership_account
    from (select membership_account from membership join person on person_id = membership_user
           where membership_user = id and (not membership_waits or person_email is null)
           order by membership_created_at, membership_account limit 1) oldest
   where person_id = id
     and not exists (select from membership where membership_user = id and membership_account = person_home);
$function$;
alter function move_home(uuid) owner to portcullis_system;
revoke execute on function move_home(uuid) from public;
grant execute on function move_home(uuid) to portcullis_web;

CREATE OR REPLACE FUNCTION next_policy_version(root integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  visible int[] := coalesce(nullif(current_setting('app.accounts', true), ''), '{}')::int[];
  next_version bigint;
begin
  update policy set policy_version = policy_version + 1
   where policy_root = root returning policy_version into next_version;
  if next_version is not null and not pg_has_role(session_user, 'portcullis_system', 'usage')
    and not exists (select from account where account_key = any(visible) and account_root = root) then
    raise exception 'A policy has no account that the transaction sees.';
  end if;
  return next_version;
end $function$;
alter function next_policy_version(integer) owner to portcullis_system;
revoke execute on function next_policy_version(integer) from public;
grant execute on function next_policy_version(integer) to portcullis_web;

CREATE OR REPLACE FUNCTION person_begins_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into authorisation_epoch (authorisation_epoch_person) values (coalesce(new.person_id, old.person_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION person_password_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update password_reset set password_reset_ended_at = now()
   where password_reset_person = new.person_id and password_reset_ended_at is null;
  update email_link set email_link_ended_at = now()
   where email_link_person = new.person_id and email_link_ended_at is null;
  delete from email_change where email_change_person = new.person_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION person_told()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select membership_account, 'users', membership_user, 'save', old.person_name is distinct from new.person_name
      from membership
     where membership_user = new.person_id;
  return null;
end $function$;
alter function person_told() owner to portcullis_system;

CREATE OR REPLACE FUNCTION prove_access(token_hash bytea, person uuid, accounts integer[], since pg_snapshot, until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not coalesce(access_holds(token_hash, person, accounts, since, until), false) then
    raise exception 'rights have changed since they were looked up' using errcode = 'PC409';
  end if;
end $function$;
revoke execute on function prove_access(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) from public;
grant execute on function prove_access(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) to portcullis_system;
grant execute on function prove_access(bytea,uuid,integer[],pg_snapshot,timestamp with time zone) to portcullis_web;

CREATE OR REPLACE FUNCTION record_changes(accounts integer[], collections text[], items uuid[], actions text[], policies boolean[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform assert_in_scope(accounts);
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select * from unnest(accounts, collections, items, actions, policies);
end $function$;
alter function record_changes(integer[],text[],uuid[],text[],boolean[]) owner to portcullis_system;
revoke execute on function record_changes(integer[],text[],uuid[],text[],boolean[]) from public;
grant execute on function record_changes(integer[],text[],uuid[],text[],boolean[]) to portcullis_web;

CREATE OR REPLACE FUNCTION revoke_unit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from unit_secret where unit_secret_unit = new.unit_id;
  delete from unit_enrolment where unit_enrolment_unit = new.unit_id;
  update unit_state
     set unit_state_desired_version = null, unit_state_fault = null, unit_state_rejection = null
   where unit_state_id = new.unit_id;
  return null;
end $function$;
alter function revoke_unit() owner to portcullis_system;

CREATE OR REPLACE FUNCTION settled_before()
 RETURNS xid8
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(min(open.xid), pg_snapshot_xmax(pg_current_snapshot()))
    from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
   where not exists (
     select from pg_locks held join pg_stat_activity holder on holder.pid = held.pid
      where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and held.granted
        and held.transactionid = open.xid::xid
        and holder.datid <> (select oid from pg_database where datname = current_database()))
$function$;
grant execute on function settled_before() to portcullis_system;

CREATE OR REPLACE FUNCTION sign_in_of(id uuid, email text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(7361912, hashtext(email));
  if exists (select from person where person_id = id and person_email is not null) then return 'own'; end if;
  if exists (select from person where person_email = email and person_id <> id) then return 'other'; end if;
  return 'new';
end $function$;
alter function sign_in_of(uuid,text) owner to portcullis_system;
revoke execute on function sign_in_of(uuid,text) from public;
grant execute on function sign_in_of(uuid,text) to portcullis_web;

CREATE OR REPLACE FUNCTION state_moved_along()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format('update %1$I set %2$I = $1 where %3$I = $2',
    tg_table_name || '_state', tg_table_name || '_state_account', tg_table_name || '_state_id')
    using (to_jsonb(new) ->> (tg_table_name || '_account'))::int, (to_jsonb(new) ->> (tg_table_name || '_id'))::uuid;
  return null;
end $function$;
alter function state_moved_along() owner to portcullis_system;

CREATE OR REPLACE FUNCTION suspension_ends_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update session set session_ended_at = now()
   where session_person = new.membership_user and session_ended_at is null
     and not exists (select from person where person_id = new.membership_user and person_hyper)
     and not exists (select from membership
                      where membership_user = new.membership_user and membership_status = 'active'
                        and not membership_waits);
  return null;
end $function$;
alter function suspension_ends_sessions() owner to portcullis_system;

CREATE OR REPLACE FUNCTION task_follows_command()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with followed as (
    update task
       set task_delivery = case new.unit_command_status
             when 'requested' then 'waiting' when 'sent' then 'sent' when 'confirmed' then 'opened'
             else 'not_delivered' end,
           task_delivery_detail = new.unit_command_detail,
           task_sent_at = new.unit_command_sent_at,
           task_opened_at = case new.unit_command_status when 'confirmed' then new.unit_command_ended_at end
     where task_command = new.unit_command_id
    returning task_account, task_id)
  insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
    select task_account, 'tasks', task_id, 'save', false from followed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_recertified(id uuid, account integer, person uuid, data jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into event (event_id, event_account, event_type, event_category, event_severity, event_user, event_occurred_at,
                     event_data)
    select id, membership_account, 'administration.recertified', 'administration', 'info', membership_user, now(), data
      from membership
     where membership_user = person and membership_account = account
       and account = any (nullif(current_setting('app.accounts', true), '')::int[])
$function$;
alter function tell_recertified(uuid,integer,uuid,jsonb) owner to portcullis_system;
revoke execute on function tell_recertified(uuid,integer,uuid,jsonb) from public;
grant execute on function tell_recertified(uuid,integer,uuid,jsonb) to portcullis_web;

CREATE OR REPLACE FUNCTION unit_has_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into unit_state (unit_state_id, unit_state_account) values (new.unit_id, new.unit_account);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION user_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.user_name, new.user_email, new.user_idle_time) is distinct from
     (old.user_name, old.user_email, old.user_idle_time) then
    update person set person_name = new.user_name, person_idle_time = new.user_idle_time,
                      person_email = case when new.user_email is distinct from old.user_email then new.user_email
                                          else person_email end
     where person_id = old.user_id and person_home = old.user_account;
    if not found then
      raise exception 'home_account_only' using errcode = 'PC422', constraint = 'home_account_only';
    end if;
  end if;
  update membership set membership_version = new.user_version, membership_updated_at = new.user_updated_at,
         membership_role = new.user_role, membership_status = new.user_status, membership_title = new.user_title,
         membership_valid_from = new.user_valid_from, membership_valid_until = new.user_valid_until,
         membership_last_recertified_at = new.user_last_recertified_at
   where membership_user = old.user_id and membership_account = old.user_account
     and membership_version = old.user_version;
  if not found then return null; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION user_created()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sign_in text := sign_in_of(new.user_id, new.user_email);
begin
  if exists (select from person join membership on membership_user = person_id
              where membership_account = new.user_account and person_email = new.user_email)
     or exists (select from person join membership on membership_user = person_id
                 where membership_account = new.user_account and person_claimed_email = new.user_email) then
    raise unique_violation using constraint = 'person_person_email_key';
  end if;
  insert into person (person_id, person_home, person_name, person_email, person_claimed_email, person_idle_time)
    values (new.user_id, new.user_account, new.user_name, case when sign_in <> 'other' then new.user_email end,
            case when sign_in = 'other' then new.user_email end, coalesce(new.user_idle_time, 300))
    on conflict (person_id) do nothing;
  insert into membership (membership_user, membership_account, membership_version, membership_role, membership_status,
                          membership_title, membership_valid_from, membership_valid_until,
                          membership_last_recertified_at, membership_waits)
    values (new.user_id, new.user_account, coalesce(new.user_version, 1), coalesce(new.user_role, 'appUser'),
            coalesce(new.user_status, 'active'), new.user_title, new.user_valid_from, new.user_valid_until,
            coalesce(new.user_last_recertified_at, now()), sign_in <> 'new');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION user_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from membership where membership_user = old.user_id and membership_account = old.user_account;
  -- Memberships in accounts that this transaction does not see keep the identity; only the foreign key shows it.
  begin
    delete from person where person_id = old.user_id and person_home = old.user_account;
  exception when foreign_key_violation then perform move_home(old.user_id);
  end;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION vouch_for(new_person uuid, home integer, hash text, is_verified boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update person set person_password_hash = hash, person_verified = is_verified
   where person_id = new_person and person_home = home and person_created_at = now() and person_password_hash is null;
end $function$;
alter function vouch_for(uuid,integer,text,boolean) owner to portcullis_system;
revoke execute on function vouch_for(uuid,integer,text,boolean) from public;
grant execute on function vouch_for(uuid,integer,text,boolean) to portcullis_web;
