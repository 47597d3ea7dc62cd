import { accounts } from '@portcullis/contract/collections/accounts'
import { cardFormats as cardFormatCollection } from '@portcullis/contract/collections/card-formats'
import { contacts as contactCollection } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups as doorGroupCollection } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { floorPlans as floorPlanCollection } from '@portcullis/contract/collections/floor-plans'
import { holidays } from '@portcullis/contract/collections/holidays'
import { lockdownPlans as lockdownPlanCollection } from '@portcullis/contract/collections/lockdown-plans'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { metaDataTemplates } from '@portcullis/contract/collections/meta-data-templates'
import { schedules as scheduleCollection } from '@portcullis/contract/collections/schedules'
import { siteGroups as siteGroupCollection } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { tenants as tenantCollection } from '@portcullis/contract/collections/tenants'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { Random } from '../random.ts'
import { type AccountRef, accountsBelow, firstAccount } from './accounts.ts'
import { issueCards } from './cards.ts'
import { beginChronicle, type Chronicle } from './chronicle.ts'
import { circumstances, signIns } from './circumstances.ts'
import { allStaff, crews, crossGroups } from './crews.ts'
import { dayAt } from './days.ts'
import { cardFormats, contacts, lockdownPlans, templates, tenants } from './further.ts'
import { floorPlan, placementsOf } from './floor-plans.ts'
import { hands } from './hands.ts'
import { type OfficeClock, officeClock } from './office-clock.ts'
import { inventPeople, type Person } from './people.ts'
import { doorGroups, interlocks, places, siteGroups, virtualModel } from './places.ts'
import { addRule } from './add-rule.ts'
import { rules } from './rules.ts'
import { describeLaterChanges } from './later-changes.ts'
import { holidaysOfYears, schedules } from './timetables.ts'

type DescribeWorldInput = { administrator: string; firstAccountId: string; now: Date; random: Random }

/** The age of the configuration in days: all items exist well before the first past event. */
const beganDaysAgo = 51

/**
 * Describes all configuration steps with their authors and times: most within a few days seven weeks ago, and some changes
 * since.
 */
export function describeWorld({ administrator, firstAccountId, now, random }: DescribeWorldInput): Chronicle {
  const chronicle = beginChronicle(random)
  chronicle.know(accounts, firstAccount.ref, firstAccountId)
  chronicle.know(users, hands.founder, administrator)
  const clock = officeClock(now.getTime() - beganDaysAgo * 86_400_000, random)
  const people = inventPeople(random)
  const part = { chronicle, clock, now, random }
  describeAccounts(part)
  describePeople(part, {
    people: people.filter(({ name }) => signIns[name]),
    by: () => hands.founder,
    seconds: [40, 140],
  })
  describePlaces(part)
  clock.nextMorning()
  describePeople(part, { people: people.filter(({ name }) => !signIns[name]), by: hands.ofPeople, seconds: [0.4, 1.6] })
  clock.nextMorning()
  const firstCards = describeCards(part, people)
  describeGroups(part, people)
  clock.nextMorning()
  describeTimetables(part)
  for (const rule of rules) addRule(chronicle, { rule, by: hands.ofRules(rule.account), at: clock.after(70, 300), now })
  clock.nextMorning()
  describeRest(part)
  describeLaterChanges({ ...part, firstCards })
  return chronicle
}

type Part = { chronicle: Chronicle; clock: OfficeClock; now: Date; random: Random }

function describeAccounts({ chronicle, clock }: Part) {
  for (const { ref, parent, ...item } of accountsBelow) {
    chronicle.create(accounts, {
      in: parent,
      by: hands.founder,
      at: clock.after(60, 200),
      name: ref,
      item: { ...item, ref, parent: chronicle.idOf(accounts, parent) },
      more: { status: 'active' },
    })
  }
}

function describePlaces({ chronicle, clock }: Part) {
  const { idOf } = chronicle
  const by = hands.installer
  for (const { account, site, units: controllers, calendars, timeZone, address, location } of places) {
    const item = { name: site, timeZone, address, location, calendars: [...calendars] }
    chronicle.create(sites, { in: account, by, at: clock.after(90, 300), name: site, item })
    const siteId = idOf(sites, site)
    for (const { name, serial, doors: wired } of controllers) {
      const unit = { name, serial, site: siteId, model: virtualModel }
      chronicle.create(units, { in: account, by, at: clock.after(40, 150), name, item: unit })
      for (const [index, { name: door, readers, ...more }] of wired.entries()) {
        chronicle.create(doors, {
          in: account,
          by,
          at: clock.after(15, 70),
          name: door,
          item: {
            name: door,
            site: siteId,
            unit: idOf(units, name),
            unitDoor: index + 1,
            directions: { entry: true, exit: readers === 'both' },
            ...more,
          },
        })
      }
    }
  }
  const { name: floor, site: plannedSite, image } = floorPlan
  chronicle.create(floorPlanCollection, {
    in: firstAccount.ref,
    by,
    at: clock.after(300, 600),
    name: floor,
    item: {
      name: floor,
      site: idOf(sites, plannedSite),
      placements: [
        ...placementsOf('Door', floorPlan.doors, (door) => idOf(doors, door)),
        ...placementsOf('Controller', floorPlan.units, (unit) => idOf(units, unit)),
      ],
    },
    more: { image },
  })
  for (const { account, name, doors: grouped } of doorGroups) {
    const members = grouped.map((door) => idOf(doors, door))
    chronicle.create(doorGroupCollection, { in: account, by, at: clock.after(30, 90), name, item: { name, members } })
  }
  for (const { account, name, sites: grouped } of siteGroups) {
    const members = grouped.map((site) => idOf(sites, site))
    chronicle.create(siteGroupCollection, { in: account, by, at: clock.after(30, 90), name, item: { name, members } })
  }
  for (const { account, name, doors: locked } of interlocks) {
    const item = { name, doors: locked.map((door) => idOf(doors, door)) }
    chronicle.create(interlockingGroups, { in: account, by, at: clock.after(30, 90), name, item })
  }
}

type DescribePeopleInput = {
  people: readonly Person[]
  by: (account: AccountRef) => string
  seconds: readonly [number, number]
}

function describePeople({ chronicle, clock, now }: Part, { people, by, seconds: [least, most] }: DescribePeopleInput) {
  for (const { name, img, crew } of people) {
    const { validFromDays, validUntilDays, recertifiedDays = -12 } = circumstances[name] ?? {}
    const { role, email = null } = signIns[name] ?? {}
    chronicle.create(users, {
      in: crew.account,
      by: by(crew.account),
      at: clock.after(least, most),
      name,
      item: {
        name,
        title: crew.title,
        validFrom: dayAt(now, validFromDays),
        validUntil: dayAt(now, validUntilDays),
        ...(role ? { role, email } : {}),
      },
      more: { img, verified: email !== null, lastRecertifiedAt: dayAt(now, recertifiedDays) },
    })
  }
}

function describeCards({ chronicle, clock, now, random }: Part, people: readonly Person[]) {
  const cards = issueCards(people, random)
  for (const { account, holder, kind, number, validFromDays, validUntilDays } of cards) {
    chronicle.create(credentials, {
      in: account,
      by: hands.ofPeople(account),
      at: clock.after(0.4, 1.6),
      name: number,
      item: {
        kind,
        number,
        user: holder === null ? null : chronicle.idOf(users, holder),
        validFrom: dayAt(now, validFromDays),
        validUntil: dayAt(now, validUntilDays),
      },
    })
  }
  return new Map(cards.flatMap((card) => (card.kind === 'card' && card.holder !== null ? [[card.holder, card]] : [])))
}

function describeGroups({ chronicle, clock, random }: Part, people: readonly Person[]) {
  const membersOf = (groups: readonly string[]) => people.filter(({ crew }) => groups.includes(crew.group))
  const create = (account: AccountRef, name: string, members: readonly Person[]) => {
    const item = { name, members: members.map((person) => chronicle.idOf(users, person.name)) }
    chronicle.create(userGroups, { in: account, by: hands.ofPeople(account), at: clock.after(60, 240), name, item })
  }
  for (const { account, group } of crews) create(account, group, membersOf([group]))
  create(allStaff.account, allStaff.name, membersOf(allStaff.of))
  for (const { account, name, of, share } of crossGroups) {
    create(
      account,
      name,
      membersOf(of).filter(() => random.chance(share)),
    )
  }
}

function describeTimetables({ chronicle, clock }: Part) {
  for (const { account, ...item } of schedules) {
    const by = hands.ofRules(account)
    chronicle.create(scheduleCollection, { in: account, by, at: clock.after(90, 300), name: item.name, item })
  }
  for (const item of holidaysOfYears()) {
    const name = `${item.name} ${item.calendar}`
    chronicle.create(holidays, {
      in: firstAccount.ref,
      by: hands.ofRules(firstAccount.ref),
      at: clock.after(20, 60),
      name,
      item,
    })
  }
}

function describeRest({ chronicle, clock }: Part) {
  const by = hands.founder
  for (const { account, item } of contacts) {
    chronicle.create(contactCollection, { in: account, by, at: clock.after(60, 200), name: item.name, item })
  }
  for (const { account, item } of tenants) {
    chronicle.create(tenantCollection, { in: account, by, at: clock.after(90, 300), name: item.name, item })
  }
  for (const { account, item } of cardFormats) {
    chronicle.create(cardFormatCollection, { in: account, by, at: clock.after(100, 300), name: item.name, item })
  }
  for (const { account, item } of templates) {
    chronicle.create(metaDataTemplates, { in: account, by, at: clock.after(120, 400), name: item.name, item })
  }
  for (const { name, siteGroup, doorGroup, ...plan } of lockdownPlans) {
    const places = [
      ...(siteGroup ? [{ kind: 'Site Group' as const, id: chronicle.idOf(siteGroupCollection, siteGroup) }] : []),
      ...(doorGroup ? [{ kind: 'Door Group' as const, id: chronicle.idOf(doorGroupCollection, doorGroup) }] : []),
    ]
    const item = { name, places, ...plan }
    chronicle.create(lockdownPlanCollection, { in: firstAccount.ref, by, at: clock.after(60, 200), name, item })
  }
}
