import type { Database } from '@portcullis/server/database/database'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { timeZone } from './day-scenes.ts'

export type Card = { id: string; user: string; number: string; validUntil: number | undefined }
export type Controller = { id: string; serial: string; doors: { id: string; number: number }[] }
export type Estate = { account: number; units: Controller[]; cards: Card[]; staff: string }

type EstateInput = { units: number; doorsPerUnit: number; staff: number; visitorsUntil: readonly number[] }

/** Two sites with controllers and doors, which a rule opens to everyone: staff, and visitors whose cards expire. */
export async function furnish(database: Database, { units, doorsPerUnit, staff, visitorsUntil }: EstateInput) {
  const validUntil = [...Array.from({ length: staff }, () => undefined), ...visitorsUntil]
  const cards = validUntil.map(
    (until, index): Card => ({ id: uuidv7(), user: uuidv7(), number: String(4_711 + index), validUntil: until }),
  )
  const controllers = Array.from(
    { length: units },
    (_, index): Controller => ({
      id: uuidv7(),
      serial: `S-${index + 1}`,
      doors: Array.from({ length: doorsPerUnit }, (_, door) => ({ id: uuidv7(), number: door + 1 })),
    }),
  )
  const sites = [uuidv7(), uuidv7()]
  const rule = uuidv7()
  const siteOf = (index: number) => sites[index % sites.length]
  return database.asSystem(async (tx): Promise<Estate> => {
    await tx.run(sql`insert into account (account_id, account_ref, account_name, account_root, account_default_time_zone)
      values (${uuidv7()}, 'acme', 'Acme', 0, ${timeZone})`)
    const row = await tx.first(z.object({ key: z.int() }), sql`select account_key as key from account`)
    const account = row?.key ?? 0
    for (const [index, site] of sites.entries())
      tx.send(sql`insert into site (site_id, site_account, site_name, site_time_zone)
        values (${site}, ${account}, ${`Site ${index + 1}`}, ${timeZone})`)
    for (const [index, { id, serial, doors }] of controllers.entries()) {
      tx.send(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
        values (${id}, ${account}, ${`Controller ${serial}`}, ${serial}, ${siteOf(index)})`)
      for (const door of doors)
        tx.send(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door,
            door_enabled, door_relock_after_seconds, door_held_open_after_seconds, door_directions)
          values (${door.id}, ${account}, ${`Door ${door.number} of ${serial}`}, ${siteOf(index)}, ${id}, ${door.number},
            true, 5, 30, '{"entry":true,"exit":true}')`)
    }
    tx.send(sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
      values (${rule}, ${account}, 'Everyone', 'allow', 'both', true)`)
    for (const site of sites)
      tx.send(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        values (${account}, ${rule}, 'where', 'Site', ${site})`)
    for (const { id, user, number, validUntil } of cards) {
      const until = validUntil === undefined ? null : new Date(validUntil).toISOString()
      tx.send(sql`insert into person (person_id, person_home, person_name) values (${user}, ${account}, ${number})`)
      tx.send(sql`insert into membership (membership_user, membership_account, membership_title)
        values (${user}, ${account}, 'Packer')`)
      tx.send(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
          credential_user, credential_status, credential_valid_until)
        values (${id}, ${account}, 'card', ${number}, ${user}, 'active', ${until})`)
      tx.send(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        values (${account}, ${rule}, 'who', 'User', ${user})`)
    }
    return { account, units: controllers, cards, staff: cards[0]?.user ?? '' }
  })
}

type CardStatus = { card: Card; status: 'active' | 'suspended' }

/** Suspends or restores a card, as the generic calls do, and returns the version of the policy that has it. */
export function setCardStatus(database: Database, { account }: Estate, { card, status }: CardStatus) {
  return database.asSystem(async (tx) => {
    const row = await tx.first(
      z.object({ version: z.number() }),
      sql`update policy set policy_version = policy_version + 1
           where policy_root = (select account_root from account where account_key = ${account})
           returning policy_version as version`,
    )
    tx.send(sql`update credential set credential_status = ${status} where credential_id = ${card.id}`)
    tx.send(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      values (${account}, 'credentials', ${card.id}, 'save', true)`)
    return row?.version ?? 0
  })
}
