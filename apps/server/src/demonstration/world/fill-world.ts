import type { Collection, CreateOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups as doorGroupCollection } from '@portcullis/contract/collections/door-groups'
import { doors as doorCollection } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules as ruleCollection } from '@portcullis/contract/collections/rules'
import { schedules as scheduleCollection } from '@portcullis/contract/collections/schedules'
import { siteGroups as siteGroupCollection } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { z } from 'zod'
import type { Access } from '../../abilities/access.ts'
import { createItem } from '../../collections/create.ts'
import type { Transaction } from '../../database/database.ts'
import type { Random } from '../random.ts'
import { accountAccess } from './account-access.ts'
import { type AccountRef, accountsBelow, firstAccount } from './accounts.ts'
import { issueCards } from './cards.ts'
import { allStaff, circumstances, crews } from './crews.ts'
import { doorGroups, places, siteGroups, virtualModel } from './places.ts'
import { type DemoRule, rules } from './rules.ts'
import { holidaysAt, schedules } from './timetables.ts'

type Asked = { administrator: string; now: Date; random: Random }

/** Makes the accounts, places, people and rules of the demonstration by the same verb that people's own go through. */
export async function fillWorld(tx: Transaction, { administrator, now, random }: Asked) {
  const make = await makerIn(tx, administrator)
  await makePlaces(make)
  await makePeople(make, now)
  await makeCards(make, { now, random })
  await makeTimetables(make, now)
  for (const rule of rules) await makeRule(make, { rule, now })
}

type Maker = {
  /** `more` holds the fields that are the server's to set. */
  make: <C extends Collection>(
    collection: C,
    made: { in: AccountRef; name: string; item: CreateOf<C>; more?: Record<string, unknown> },
  ) => Promise<void>
  idOf: (collection: Collection, name: string) => string
}

const created = z.object({ _id: z.uuid() })

async function makerIn(tx: Transaction, administrator: string): Promise<Maker> {
  const access = new Map<AccountRef, Access>()
  const ids = new Map<string, string>()
  const enter = async (ref: AccountRef) => access.set(ref, await accountAccess(tx, { administrator, ref }))
  const maker: Maker = {
    async make(collection, { in: ref, name, item, more = {} }) {
      const inAccount = access.get(ref)
      if (!inAccount) throw new Error(`the account ${ref} has not been made yet`)
      const whole = { ...collection.createSchema.parse(item), ...more }
      const { item: made } = await createItem(tx, { collection, half: {}, access: inAccount, item: whole })
      const { _id } = created.parse(made)
      ids.set(`${collection.name} ${name}`, _id)
    },
    idOf(collection, name) {
      const id = ids.get(`${collection.name} ${name}`)
      if (id === undefined) throw new Error(`"${name}" is not in ${collection.name}`)
      return id
    },
  }
  const first = await enter(firstAccount.ref)
  ids.set(`accounts ${firstAccount.ref}`, first.get(firstAccount.ref)?.account._id ?? '')
  for (const { ref, parent, ...item } of accountsBelow) {
    const parentId = maker.idOf(accounts, parent)
    await maker.make(accounts, { in: parent, name: ref, item: { ...item, ref, parent: parentId } })
    await enter(ref)
  }
  return maker
}

async function makePlaces({ make, idOf }: Maker) {
  for (const { account, site, unit, doors, ...place } of places) {
    const { timeZone, address, location } = place
    const item = { name: site, timeZone, address, location, calendars: [...place.calendars] }
    await make(sites, { in: account, name: site, item })
    const siteId = idOf(sites, site)
    await make(units, {
      in: account,
      name: unit.name,
      item: { ...unit, site: siteId, model: virtualModel },
    })
    for (const [index, { name, readers, mode, ...door }] of doors.entries()) {
      const wired = { site: siteId, unit: idOf(units, unit.name), unitDoor: index + 1 }
      const directions = { entry: true, exit: readers === 'both' }
      await make(doorCollection, {
        in: account,
        name,
        item: { name, ...wired, directions, ...door },
        ...(mode ? { more: { mode } } : {}),
      })
    }
  }
  for (const { account, name, doors } of doorGroups) {
    const members = doors.map((door) => idOf(doorCollection, door))
    await make(doorGroupCollection, { in: account, name, item: { name, members } })
  }
  for (const group of siteGroups) {
    const members = group.sites.map((site) => idOf(sites, site))
    await make(siteGroupCollection, { in: group.account, name: group.name, item: { name: group.name, members } })
  }
}

async function makePeople({ make, idOf }: Maker, now: Date) {
  for (const { account, title, names } of crews) {
    for (const name of names) {
      const { validFromDays, validUntilDays, recertifiedDays = -12, ...known } = circumstances[name] ?? {}
      const validity = { validFrom: dayAt(now, validFromDays), validUntil: dayAt(now, validUntilDays) }
      await make(users, {
        in: account,
        name,
        item: { name, title, ...validity, ...known },
        more: { lastRecertifiedAt: dayAt(now, recertifiedDays) },
      })
    }
  }
  for (const { account, group, names } of crews) {
    await make(userGroups, { in: account, name: group, item: { name: group, members: idsOf(names) } })
  }
  const { account, name, of } = allStaff
  const members = crews.filter(({ group }) => of.some((one) => one === group)).flatMap(({ names }) => idsOf(names))
  await make(userGroups, { in: account, name, item: { name, members } })

  function idsOf(names: readonly string[]) {
    return names.map((one) => idOf(users, one))
  }
}

async function makeCards({ make, idOf }: Maker, { now, random }: { now: Date; random: Random }) {
  for (const { account, holder, number, validFromDays, validUntilDays, ...card } of issueCards(random)) {
    const user = holder === null ? null : idOf(users, holder)
    const validity = { validFrom: dayAt(now, validFromDays), validUntil: dayAt(now, validUntilDays) }
    await make(credentials, { in: account, name: number, item: { user, number, ...validity, ...card } })
  }
}

async function makeTimetables({ make }: Maker, now: Date) {
  for (const { account, ...item } of schedules) {
    await make(scheduleCollection, { in: account, name: item.name, item })
  }
  for (const item of holidaysAt(now)) {
    await make(holidays, { in: firstAccount.ref, name: `${item.name} ${item.calendar}`, item })
  }
}

function makeRule({ make, idOf }: Maker, { rule, now }: { rule: DemoRule; now: Date }) {
  const { account, name, effect, direction, adhocDays, enabled, note = null, schedule } = rule
  const subjects = <K extends string>(kind: K, collection: Collection, names: readonly string[] = []) =>
    names.map((one) => ({ kind, id: idOf(collection, one) }))
  return make(ruleCollection, {
    in: account,
    name,
    item: {
      name,
      effect,
      direction,
      enabled,
      note,
      who: [...subjects('User Group', userGroups, rule.groups), ...subjects('User', users, rule.people)],
      where: [
        ...subjects('Door', doorCollection, rule.doors),
        ...subjects('Door Group', doorGroupCollection, rule.doorGroups),
        ...subjects('Site', sites, rule.sites),
        ...subjects('Site Group', siteGroupCollection, rule.siteGroups),
      ],
      schedule: schedule === null ? null : idOf(scheduleCollection, schedule),
      adhoc: adhocDays ? { from: dayAfter(now, adhocDays.from), until: dayAfter(now, adhocDays.until) } : null,
    },
  })
}

function dayAt(now: Date, days: number | null | undefined) {
  return days === null || days === undefined ? null : dayAfter(now, days)
}

/** Nine in the evening, UTC: after the work of the day. */
function dayAfter(now: Date, days: number) {
  const day = new Date(now.getTime() + days * 86_400_000)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 21)).toISOString()
}
