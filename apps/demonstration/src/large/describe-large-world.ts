import { accounts } from '@portcullis/contract/collections/accounts'
import { contacts } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { CredentialStatus } from '@portcullis/domain/policy'
import { addressOfPortrait } from '../portraits/serve-portraits.ts'
import type { Random } from '../random.ts'
import { beginChronicle, type Chronicle } from '../world/chronicle.ts'
import { eveningAfter } from '../world/days.ts'
import { hands } from '../world/hands.ts'
import { type OfficeClock, officeClock } from '../world/office-clock.ts'
import { inventName, poolOf, seedOf } from '../world/people.ts'
import { virtualModel } from '../world/places.ts'
import {
  branchesOfRegion,
  buildings,
  doorNames,
  doorsOfSite,
  doorsOfUnit,
  estate,
  type Region,
  regions,
} from './estate.ts'

export type Sizes = { doors: number; people: number; events: number }

type DescribeLargeWorldInput = {
  sizes: Sizes
  administrator: string
  firstAccountId: string
  now: Date
  random: Random
}

/** The number of controllers that connect; the others are only rows. */
const virtualUnits = 12
const beganDaysAgo = 51
const by = hands.founder

type Branch = { ref: string; region: Region; sites: Site[] }
type Site = { name: string; number: number; doors: { name: string; number: number }[] }

/** Describes an estate: regions with their branches, sites with their doors, every user with a card for their own site. */
export function describeLargeWorld({
  sizes,
  administrator,
  firstAccountId,
  now,
  random,
}: DescribeLargeWorldInput): Chronicle {
  const chronicle = beginChronicle(random)
  chronicle.know(accounts, estate.ref, firstAccountId)
  chronicle.know(users, by, administrator)
  const clock = officeClock(now.getTime() - beganDaysAgo * 86_400_000, random)
  const part = { chronicle, clock, now, random }
  const branches = branchesFor(Math.ceil(sizes.doors / doorsOfSite), sizes.doors)
  describeAccounts(part, branches)
  describePlaces(part, branches)
  describeTimetables(part)
  const all = branches.flatMap(({ sites: own, ...branch }) => own.map((site) => ({ branch, site })))
  const share = sizes.people / all.length
  for (const [index, { branch, site }] of all.entries()) {
    const people = Math.floor((index + 1) * share) - Math.floor(index * share)
    describePeople(part, { branch, site, people })
  }
  describeGroups(part, branches)
  return chronicle
}

type Part = { chronicle: Chronicle; clock: OfficeClock; now: Date; random: Random }

/** This many sites, distributed over the branches; this many doors, distributed over the sites. */
function branchesFor(siteCount: number, doorCount: number): Branch[] {
  const branches = regions
    .flatMap((region) =>
      Array.from({ length: branchesOfRegion }, (_, at): Branch => {
        return { ref: `${region.ref}-${at + 1}`, region, sites: [] }
      }),
    )
    .slice(0, siteCount)
  const perSite = doorCount / siteCount
  for (let number = 0; number < siteCount; number++) {
    const branch = branches[number % branches.length]
    if (!branch) break
    const own = Math.floor((number + 1) * perSite) - Math.floor(number * perSite)
    const name = siteName(branch, number)
    const numbered = Array.from({ length: own }, (_, at) => ({ name: doorName(at), number: at }))
    branch.sites.push({ name, number, doors: numbered })
  }
  return branches
}

/** Each branch has towns of its region for itself, while there are enough. */
function siteName({ region, ref, sites: own }: Branch, number: number) {
  const at = own.length * branchesOfRegion + Number(ref.slice(-1)) - 1
  const town = region.towns[at % region.towns.length]
  const round = Math.floor(at / region.towns.length)
  const building = buildings[round % buildings.length]
  return round < buildings.length ? `${town} ${building}` : `${town} ${building} ${number}`
}

function doorName(at: number) {
  const name = doorNames[at % doorNames.length] ?? ''
  return at < doorNames.length ? name : `${name} ${Math.floor(at / doorNames.length) + 1}`
}

function describeAccounts({ chronicle, clock }: Part, branches: readonly Branch[]) {
  const add = (parent: string, { ref, name, timeZone }: Pick<Region, 'ref' | 'name' | 'timeZone'>) =>
    chronicle.create(accounts, {
      in: parent,
      by,
      at: clock.after(20, 60),
      name: ref,
      item: { ref, name, defaultTimeZone: timeZone, parent: chronicle.idOf(accounts, parent) },
      more: { status: 'active' },
    })
  for (const region of new Set(branches.map((branch) => branch.region))) add(estate.ref, region)
  for (const { ref, region } of branches) add(region.ref, { ...region, ref, name: `${region.name} ${ref.slice(-1)}` })
}

function describePlaces({ chronicle, clock }: Part, branches: readonly Branch[]) {
  let unitNumber = 0
  for (const { ref, region, sites: own } of branches) {
    for (const { name, number, doors: wired } of own) {
      const site = { name, timeZone: region.timeZone, address: `${number + 1} Meridian Way, ${name.split(' ')[0]}` }
      chronicle.create(sites, { in: ref, by, at: clock.after(1, 4), name, item: site })
      const siteId = chronicle.idOf(sites, name)
      for (const door of wired) {
        const letter = String.fromCodePoint(65 + Math.floor(door.number / doorsOfUnit))
        const unit = `${name} ${letter}`
        if (!chronicle.knows(units, unit)) {
          unitNumber++
          const model = unitNumber <= virtualUnits ? virtualModel : 'PX-8'
          const serial = `MX-${String(unitNumber).padStart(5, '0')}`
          const item = { name: unit, serial, model, site: siteId }
          chronicle.create(units, { in: ref, by, at: clock.after(0.2, 0.6), name: unit, item })
        }
        const item = {
          name: door.name,
          site: siteId,
          unit: chronicle.idOf(units, unit),
          unitDoor: (door.number % doorsOfUnit) + 1,
          directions: { entry: true, exit: door.number < 3 },
        }
        chronicle.create(doors, { in: ref, by, at: clock.after(0.2, 0.6), name: `${name}, ${door.name}`, item })
      }
    }
  }
}

type Staff = { branch: Omit<Branch, 'sites'>; site: Site; people: number }

/** The users of one site: each has a card, a few have a phone or a card that is no longer active. */
function describePeople({ chronicle, clock, now, random }: Part, { branch, site, people }: Staff) {
  const { ref, region } = branch
  const members: string[] = []
  for (let number = 0; number < people; number++) {
    const { pool, figure, name } = inventName(region.pools, random)
    const title = random.pick(titles) ?? ''
    const key = `${site.name} ${number}`
    const isContractor = title === 'Contractor'
    const img = addressOfPortrait({ look: poolOf(pool).look, figure, seed: seedOf(key) })
    chronicle.create(users, {
      in: ref,
      by,
      at: clock.after(0.01, 0.04),
      name: key,
      item: {
        name,
        title,
        status: random.chance(0.01) ? 'suspended' : 'active',
        validUntil: isContractor ? eveningAfter(now, random.between(-5, 200)) : null,
      },
      more: { img, lastRecertifiedAt: eveningAfter(now, -12) },
    })
    members.push(chronicle.idOf(users, key))
    const user = chronicle.idOf(users, key)
    const card = `${facilityOf(ref)}-${site.number}${String(number).padStart(5, '0')}`
    const issue = (kind: 'card' | 'mobile', number: string, status: CredentialStatus) =>
      chronicle.create(credentials, {
        in: ref,
        by,
        at: clock.after(0.01, 0.04),
        name: number,
        item: { kind, number, user, status },
      })
    if (random.chance(0.02)) issue('card', `${card}-0`, random.pick(endings) ?? 'lost')
    issue('card', card, 'active')
    if (random.chance(0.06)) issue('mobile', `M-${card}`, 'active')
  }
  const name = `Staff, ${site.name}`
  chronicle.create(userGroups, { in: ref, by, at: clock.after(1, 3), name, item: { name, members } })
  chronicle.create(rules, {
    in: ref,
    by,
    at: clock.after(1, 3),
    name,
    item: {
      name,
      effect: 'allow',
      who: [{ kind: 'User Group', id: chronicle.idOf(userGroups, name) }],
      where: [{ kind: 'Site', id: chronicle.idOf(sites, site.name) }],
    },
  })
}

const titles = [
  'Office',
  'Office',
  'Office',
  'Engineering',
  'Warehouse',
  'Warehouse',
  'Cleaner',
  'Security',
  'Contractor',
]
const endings: readonly CredentialStatus[] = ['lost', 'lost', 'stolen', 'suspended', 'revoked']

/** Four digits that begin the numbers of a branch. */
function facilityOf(ref: string) {
  const region = regions.findIndex((one) => ref.startsWith(one.ref)) + 1
  return `05${region}${ref.slice(-1)}`
}

function describeTimetables({ chronicle, clock }: Part) {
  const closed = { public: 'closed', company: 'closed', special: 'closed' } as const
  const days = [1, 2, 3, 4, 5]
  for (const [name, start, end] of [
    ['Office hours', '07:00', '19:00'],
    ['Early shift', '05:00', '14:00'],
    ['Nights', '21:00', '06:00'],
  ] as const) {
    const item = { name, windows: [{ days, start, end }], holidayHours: closed }
    chronicle.create(schedules, { in: estate.ref, by, at: clock.after(60, 120), name, item })
  }
  const name = 'New Year'
  const dates = [{ from: '2026-01-01', until: '2026-01-01', recurring: true }]
  chronicle.create(holidays, {
    in: estate.ref,
    by,
    at: clock.after(60, 120),
    name,
    item: { name, kind: 'public', dates },
  })
}

function describeGroups({ chronicle, clock }: Part, branches: readonly Branch[]) {
  for (const { ref, sites: own } of branches) {
    const serverRooms = own.flatMap(({ name, doors: wired }) =>
      wired.filter((door) => door.name === 'Server room').map((door) => chronicle.idOf(doors, `${name}, ${door.name}`)),
    )
    const rooms = { name: 'Server rooms', members: serverRooms }
    chronicle.create(doorGroups, { in: ref, by, at: clock.after(20, 60), name: `Server rooms ${ref}`, item: rooms })
    const members = own.map(({ name }) => chronicle.idOf(sites, name))
    const all = { name: 'All sites', members }
    chronicle.create(siteGroups, { in: ref, by, at: clock.after(20, 60), name: `All sites ${ref}`, item: all })
    const contact = { name: `Guardroom ${ref.slice(-1)}`, phone: '+44 1632 960100' }
    chronicle.create(contacts, { in: ref, by, at: clock.after(20, 60), name: `Guardroom ${ref}`, item: contact })
  }
}
