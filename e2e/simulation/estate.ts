import type { Database, Transaction } from '@portcullis/server/database/database'
import { insertAdministrator } from '@portcullis/server/first-administrator'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { timeZone } from './day-scenes.ts'
import { at } from './item-at.ts'
import { guardRule, officeRule, type Rights, siteCount, siteOf, visitorRule } from './rights.ts'

/** `id` is that of the card that the user has now. */
type Card = { id: string; user: string; number: string }
type Controller = { id: string; serial: string; doors: { id: string; number: number }[] }
export type Estate = {
  account: number
  administrator: string
  sites: string[]
  units: Controller[]
  staff: number
  cards: Card[]
  groups: string[]
  rules: string[]
  schedule: string
}

export const accountRef = 'acme'
/** The doors with this number share an interlock. */
export const interlockedDoor = 3
type EstateInput = { units: number; doorsPerUnit: number; staff: number; visitorsUntil: readonly number[] }

/** The rights with which a day begins; the last of the staff is a guard. */
export function firstRights({ staff, visitorsUntil }: Pick<EstateInput, 'staff' | 'visitorsUntil'>): Rights {
  const limits = [...Array.from({ length: staff }, () => null), ...visitorsUntil]
  return {
    users: limits.map(() => ({ status: 'active', validUntil: null })),
    cards: limits.map((validUntil) => ({ status: 'active', validUntil, isRemoved: false })),
    groups: [Array.from({ length: staff }, (_, index) => index), [staff - 1]],
    rules: ['enabled', 'enabled', 'enabled'],
    hours: [{ start: '07:00', end: '19:00' }],
    isHoliday: false,
  }
}

/** Two sites with controllers and doors, and users with their groups and rules. */
export async function furnish(database: Database, { units, doorsPerUnit, staff, visitorsUntil }: EstateInput) {
  const rights = firstRights({ staff, visitorsUntil })
  const controllers = Array.from(
    { length: units },
    (_, index): Controller => ({
      id: uuidv7(),
      serial: `S-${index + 1}`,
      doors: Array.from({ length: doorsPerUnit }, (_, door) => ({ id: uuidv7(), number: door + 1 })),
    }),
  )
  return database.asSystem(async (tx): Promise<Estate> => {
    const estate: Estate = {
      ...(await firstAccount(tx)),
      sites: Array.from({ length: siteCount }, () => uuidv7()),
      units: controllers,
      staff,
      cards: rights.cards.map((_, index) => ({ id: uuidv7(), user: uuidv7(), number: String(4_711 + index) })),
      groups: rights.groups.map(() => uuidv7()),
      rules: rights.rules.map(() => uuidv7()),
      schedule: uuidv7(),
    }
    addSites(tx, estate)
    addUsers(tx, estate, rights)
    addRules(tx, estate, rights)
    addInterlock(tx, estate)
    return estate
  })
}

async function firstAccount(tx: Transaction) {
  const account = { ref: accountRef, name: 'Acme', defaultTimeZone: timeZone }
  await insertAdministrator(tx, { account, email: 'root@acme.example', hash: 'none', now: new Date() })
  const row = await tx.first(
    z.object({ account: z.int(), administrator: z.uuid() }),
    sql`select account_key as account, person_id as administrator from account join person on person_home = account_key`,
  )
  if (!row) throw new Error('There is no account.')
  return row
}

function addSites(tx: Transaction, { account, sites, units }: Estate) {
  for (const [index, site] of sites.entries())
    tx.send(sql`insert into site (site_id, site_account, site_name, site_time_zone)
      values (${site}, ${account}, ${`Site ${index + 1}`}, ${timeZone})`)
  for (const [index, { id, serial, doors }] of units.entries()) {
    const site = at(sites, siteOf(index))
    tx.send(sql`insert into unit (unit_id, unit_account, unit_name, unit_serial, unit_site)
      values (${id}, ${account}, ${`Controller ${serial}`}, ${serial}, ${site})`)
    for (const door of doors)
      tx.send(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door,
          door_enabled, door_relock_after_seconds, door_held_open_after_seconds, door_directions)
        values (${door.id}, ${account}, ${`Door ${door.number} of ${serial}`}, ${site}, ${id}, ${door.number},
          true, 5, 30, '{"entry":true,"exit":true}')`)
  }
}

function addUsers(tx: Transaction, { account, cards, groups }: Estate, rights: Rights) {
  for (const [index, { id, user, number }] of cards.entries()) {
    const { validUntil } = at(rights.cards, index)
    const until = validUntil === null ? null : new Date(validUntil).toISOString()
    tx.send(sql`insert into person (person_id, person_home, person_name) values (${user}, ${account}, ${number})`)
    tx.send(sql`insert into membership (membership_user, membership_account, membership_title)
      values (${user}, ${account}, 'Packer')`)
    tx.send(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
        credential_user, credential_status, credential_valid_until)
      values (${id}, ${account}, 'card', ${number}, ${user}, 'active', ${until})`)
  }
  for (const [index, group] of groups.entries()) {
    tx.send(sql`insert into user_group (user_group_id, user_group_account, user_group_name)
      values (${group}, ${account}, ${`Group ${index + 1}`})`)
    for (const member of at(rights.groups, index))
      addLink(tx, { account, owner: group, field: 'members', kind: 'users', id: at(cards, member).user })
  }
}

function addRules(tx: Transaction, estate: Estate, { hours, rules }: Rights) {
  const { account, schedule } = estate
  const holidayHours = JSON.stringify({ public: 'closed', company: 'closed', special: 'closed' })
  tx.send(sql`insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
    values (${schedule}, ${account}, 'Office', ${JSON.stringify(officeHours(hours))}::jsonb, ${holidayHours}::jsonb)`)
  for (const index of rules.keys()) {
    const { name, schedule: times, who, where } = ruleFields(estate, index)
    const rule = at(estate.rules, index)
    tx.send(sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_schedule, rule_direction, rule_enabled)
      values (${rule}, ${account}, ${name}, 'allow', ${times}, 'both', true)`)
    for (const subject of who) addLink(tx, { account, owner: rule, field: 'who', ...subject })
    for (const subject of where) addLink(tx, { account, owner: rule, field: 'where', ...subject })
  }
}

function addInterlock(tx: Transaction, { account, units }: Estate) {
  const owner = uuidv7()
  tx.send(sql`insert into interlocking_group (interlocking_group_id, interlocking_group_account, interlocking_group_name)
    values (${owner}, ${account}, 'Airlock')`)
  const doors = units.flatMap((unit) => unit.doors.filter(({ number }) => number === interlockedDoor))
  for (const { id } of doors) addLink(tx, { account, owner, field: 'doors', kind: 'doors', id })
}

/** As the API takes it. */
export function ruleFields({ cards, groups, sites, schedule, staff }: Estate, index: number) {
  const common = { name: `Rule ${index + 1}`, effect: 'allow', schedule: index === officeRule ? schedule : null }
  const toSite = (id: string) => ({ kind: 'Site', id })
  if (index === officeRule || index === guardRule)
    return { ...common, who: [{ kind: 'User Group', id: at(groups, index) }], where: sites.map(toSite) }
  if (index !== visitorRule) throw new Error(`There is no rule ${index}.`)
  const who = cards.slice(staff).map(({ user }) => ({ kind: 'User', id: user }))
  return { ...common, who, where: sites.slice(0, 1).map(toSite) }
}

export function officeHours(hours: Rights['hours']) {
  return hours.map(({ start, end }) => ({ days: [1, 2, 3, 4, 5, 6, 7], start, end }))
}

type LinkInput = { account: number; owner: string; field: string; kind: string; id: string }

function addLink(tx: Transaction, { account, owner, field, kind, id }: LinkInput) {
  tx.send(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
    values (${account}, ${owner}, ${field}, ${kind}, ${id})`)
}
