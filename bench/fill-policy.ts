import type pg from 'pg'

export type PolicySizes = { units: number; people: number }

/** Serials of the controllers, by number: `P-1`. */
export const serialOf = (number: number) => `P-${number}`

/**
 * One account, with one controller and four doors at each site. The users of a site are a group, which a rule admits there.
 * All controllers count as enrolled.
 */
export async function fillPolicy(owner: pg.Client, { units, people }: PolicySizes) {
  await owner.query('set synchronous_commit = off')
  await owner.query(`
    create temporary table place as
      select n, uuidv7() as site, uuidv7() as unit, uuidv7() as team, uuidv7() as rule, account_key as key
        from account, generate_series(1, ${units}) n where account_ref = 'main';
    insert into site (site_id, site_account, site_name, site_time_zone)
      select site, key, 'Site ' || n, 'Europe/London' from place;
    insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
      select unit, key, 'Unit ' || n, 'P-' || n, site from place;
    insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      select unit, sha256(unit::text::bytea), sha256(site::text::bytea) from place;
    insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_relock_after_seconds,
                      door_held_open_after_seconds, door_directions)
      select uuidv7(), key, 'Door ' || d, site, unit, d, 5, 60, '{"entry": true, "exit": true}'
        from place, generate_series(1, 4) d;
    insert into user_group (user_group_id, user_group_account, user_group_name) select team, key, 'Team ' || n from place;
    insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
      select rule, key, 'Rule ' || n, 'allow', 'both', true from place;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, rule, 'who', 'User Group', team from place union all select key, rule, 'where', 'Site', site from place;
    create temporary table resident as
      select uuidv7() as person, uuidv7() as card, team, key, p
        from generate_series(1, ${people}) p join place on n = 1 + p % ${units};
    insert into person (person_id, person_home, person_name) select person, key, 'Person ' || p from resident;
    insert into membership (membership_user, membership_account) select person, key from resident;
    insert into credential (credential_id, credential_account, credential_kind, credential_number, credential_user,
                            credential_status)
      select card, key, 'card', (10000000 + p)::text, person, 'active' from resident;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, team, 'members', 'users', person from resident;
    analyze`)
}
