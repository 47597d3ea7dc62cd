import { generateKeys } from '@portcullis/controllers/keys'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'

const doorsPerUnit = 4

export type EnrolledUnit = {
  unit: string
  serial: string
  privateKey: string
  doors: number
  numbers: readonly string[]
}

/**
 * Fills the first account: one site, units with four doors each, and users with cards. A rule admits seven of eight users
 * at all doors and denies the others.
 */
export async function fillIngestWorld(owner: pg.Client, { units, cards = 2_000 }: { units: number; cards?: number }) {
  const made = Array.from({ length: units }, (_, index) => ({
    unit: uuidv7(),
    serial: `RATE-${index + 1}`,
    ...generateKeys(),
  }))
  const rule = uuidv7()
  const group = uuidv7()
  await owner.query(`
    create temporary table home as select account_key as key from account where account_parent is null order by 1 limit 1;
    insert into site (site_id, site_account, site_name, site_time_zone)
      select uuidv7(), key, 'Distribution centre', 'Europe/Amsterdam' from home`)
  await owner.query(
    `insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
     select unit, key, 'Controller ' || serial, serial, site_id
       from home join site on site_account = key, unnest($1::uuid[], $2::text[]) made (unit, serial)`,
    [made.map(({ unit }) => unit), made.map(({ serial }) => serial)],
  )
  await owner.query(
    `insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
     select unit, key, sha256(key) from unnest($1::uuid[], $2::bytea[]) made (unit, key)`,
    [made.map(({ unit }) => unit), made.map(({ publicKey }) => Buffer.from(publicKey, 'base64'))],
  )
  await owner.query(`
    insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_enabled,
        door_relock_after_seconds, door_held_open_after_seconds, door_directions)
      select uuidv7(), key, unit_serial || ' door ' || n, site_id, unit_id, n, true, 5, 30, '{"entry":true,"exit":true}'
        from home join site on site_account = key join unit on unit_account = key, generate_series(1, ${doorsPerUnit}) n;
    with people as (
      insert into person (person_id, person_home, person_name)
        select uuidv7(), key, 'Cardholder ' || n from home, generate_series(1, ${cards}) n returning *)
    insert into membership (membership_user, membership_account, membership_title)
      select person_id, person_home, 'Picker' from people;
    insert into credential (credential_id, credential_account, credential_kind, credential_number, credential_user, credential_status)
      select uuidv7(), key, 'card', (row_number() over (order by person_id) + 10000000)::text, person_id, 'active'
        from home join membership on membership_account = key join person on person_id = membership_user
       where person_name like 'Cardholder %'`)
  await owner.query(
    `insert into user_group (user_group_id, user_group_account, user_group_name) select $1, key, 'Pickers' from home`,
    [group],
  )
  await owner.query(
    `insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
     select $1, key, 'Pickers', 'allow', 'both', true from home`,
    [rule],
  )
  await owner.query(
    `insert into link (link_account, link_owner, link_field, link_kind, link_target)
     select key, $1::uuid, 'who', 'User Group', $2::uuid from home
     union all select key, $1, 'where', 'Site', site_id from home join site on site_account = key
     union all select key, $2, 'members', 'User', credential_user from home join credential on credential_account = key
                where credential_number::int % 8 <> 0`,
    [rule, group],
  )
  await owner.query(`
    update policy set policy_version = policy_version + 1;
    insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select key, 'rules', uuidv7(), 'save', true from home;
    analyze`)
  const numbers = Array.from({ length: cards }, (_, index) => String(10_000_001 + index))
  const enrolledUnits = made.map((unit): EnrolledUnit => ({ ...unit, doors: doorsPerUnit, numbers }))
  return { units: enrolledUnits, rule }
}

/** Whether the rule admits the user of this card. */
export function isAdmitted(number: string) {
  return Number(number) % 8 !== 0
}
