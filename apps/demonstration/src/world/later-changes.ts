import { contacts } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { reports } from '@portcullis/contract/collections/reports'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { z } from 'zod'
import type { CredentialStatus } from '@portcullis/domain/policy'
import { forcedDoors, inspection, modeChanges, momentBefore, newcomer } from './past-incidents.ts'
import type { Random } from '../random.ts'
import { firstAccount } from './accounts.ts'
import { addRule } from './add-rule.ts'
import type { Chronicle } from './chronicle.ts'
import { eveningAfter } from './days.ts'
import { hands } from './hands.ts'
import { workingMoment } from './office-clock.ts'
import type { DemoRule } from './rules.ts'
import { laterHolidaysAt, widerDeliveries } from './timetables.ts'
import { type Card, makeNumbering } from './cards.ts'

/** Rules that were added in the past weeks. */
const laterRules = {
  compressorRepair: {
    account: 'harbour-group',
    name: 'Compressor repair',
    effect: 'allow',
    people: ["Siobhán O'Reilly", 'Stefan Kruger'],
    doors: ['Gatehouse', 'Plant room'],
    schedule: null,
    adhocDays: { from: -3, until: 25 },
  },
  sprinklerInspection: {
    account: 'harbour-group',
    name: 'Sprinkler inspection',
    effect: 'allow',
    people: ['Mohammed Rashid Ebrahim', 'Jabu Hlongwane'],
    doors: ['Plant room'],
    schedule: null,
    adhocDays: { from: -6, until: -4 },
  },
  serverReplacement: {
    account: 'harbour-group',
    name: 'Server replacement',
    effect: 'allow',
    people: ['Zoltán Szabó', 'Wayne September'],
    doors: ['Server room'],
    schedule: null,
    adhocDays: { from: 35, until: 42 },
  },
  defrosting: {
    account: 'harbour-group',
    name: 'Freezer 5 is being defrosted',
    effect: 'deny',
    groups: ['Warehouse', 'Forklift drivers'],
    doors: ['Freezer 5'],
    schedule: null,
    adhocDays: { from: -1, until: 2 },
    note: 'The floor is wet. Ask Operations.',
  },
  auditors: {
    account: 'harbour-couriers',
    name: 'Van count',
    effect: 'allow',
    groups: ['Sorters'],
    doors: ['Van store'],
    schedule: null,
    adhocDays: { from: -2, until: 5 },
  },
} as const satisfies Record<string, DemoRule>

type Part = { chronicle: Chronicle; now: Date; random: Random; firstCards: FirstCards }

const group = firstAccount.ref
const access = hands.ofPeople(group)

/** Changes made during the past events, which the policy at that time explains. */
export function describeLaterChanges(part: Part) {
  describePeople(part)
  describeRules(part)
  describePlaces(part)
  describePapers(part)
  changeCards(part, cardChanges)
}

const cardChanges: readonly CardChange[] = [
  { holder: 'Nomsa Dlamini', status: 'lost', daysAgo: 16, at: '07:21', isReplaced: true },
  { holder: 'Fatima Jassiem', status: 'stolen', daysAgo: 12, at: '09:48', isReplaced: true },
  { holder: 'Musa Ngcobo', status: 'lost', daysAgo: 11, at: '06:55', isReplaced: true },
  { holder: 'Darren Pike', status: 'stolen', daysAgo: 8, at: '08:12', isReplaced: true },
  { holder: 'Lerato Khumalo', status: 'revoked', daysAgo: 20, at: '12:10', isReplaced: true },
  { holder: 'Tom Ellery', status: 'revoked', daysAgo: 7, at: '10:34', isReplaced: true },
  { holder: 'Kagiso Molefe', status: 'suspended', daysAgo: 6, at: '11:02', isReplaced: false },
  { holder: 'Chidi Okonkwo', status: 'suspended', daysAgo: 4, at: '09:40', isReplaced: false },
  { holder: 'Amahle Zulu', status: 'lost', daysAgo: 2, at: '06:40', isReplaced: true },
]

function describePeople({ chronicle, now }: Part) {
  const when = (daysAgo: number, at: string) => workingMoment(now, { daysAgo, at })
  chronicle.change(users, 'Riaan Venter', { by: access, at: when(9, '08:20'), changes: { status: 'suspended' } })
  chronicle.change(users, 'Gary Thistlewood', {
    by: hands.ofPeople('harbour-couriers'),
    at: when(13, '07:50'),
    changes: { status: 'suspended' },
  })
  chronicle.change(users, "Siobhán O'Reilly", {
    by: access,
    at: when(5, '09:31'),
    changes: { validUntil: eveningAfter(now, 180) },
  })
  chronicle.change(users, 'Maren Halvorsen', {
    by: hands.ofPeople('quayside-labs'),
    at: when(3, '13:18'),
    changes: {},
    more: { lastRecertifiedAt: new Date(when(3, '13:18')).toISOString() },
  })
  chronicle.change(users, 'Mpho Letsoalo', { by: access, at: when(17, '10:05'), changes: { title: 'Office manager' } })
  const wardens = membersOf(chronicle, 'Fire wardens')
  chronicle.change(userGroups, 'Fire wardens', {
    by: access,
    at: when(14, '12:44'),
    changes: { members: [...new Set([...wardens, chronicle.idOf(users, 'Lindiwe Khoza')])] },
  })
  const drivers = membersOf(chronicle, 'Forklift drivers')
  chronicle.change(userGroups, 'Forklift drivers', {
    by: access,
    at: when(10, '07:09'),
    changes: { members: drivers.slice(1) },
  })
  chronicle.create(credentials, {
    in: group,
    by: access,
    at: newcomer.cardAt(now),
    name: newcomer.number,
    item: { kind: 'card', number: newcomer.number, user: chronicle.idOf(users, newcomer.name) },
  })
}

function membersOf(chronicle: Chronicle, name: string) {
  return z.array(z.string()).parse(chronicle.find(userGroups, name)['members'])
}

function describeRules({ chronicle, now }: Part) {
  const add = (rule: DemoRule, daysAgo: number, at: string) =>
    addRule(chronicle, { rule, by: hands.ofRules(rule.account), at: workingMoment(now, { daysAgo, at }), now })
  add(laterRules.sprinklerInspection, 8, '12:20')
  add(laterRules.compressorRepair, 5, '10:12')
  add(laterRules.auditors, 4, '08:05')
  add(laterRules.serverReplacement, 2, '13:02')
  add(laterRules.defrosting, 1, '13:37')
  chronicle.change(rules, 'Office visits to the cold store', {
    by: hands.operations,
    at: workingMoment(now, { daysAgo: 24, at: '09:15' }),
    changes: { enabled: false, note: 'Switched off until the induction courses are over.' },
  })
  chronicle.change(schedules, 'Deliveries', {
    by: hands.operations,
    at: workingMoment(now, { daysAgo: 21, at: '11:26' }),
    changes: { windows: widerDeliveries },
  })
  const { stocktaking, shortHours } = laterHolidaysAt(now)
  chronicle.create(holidays, {
    in: group,
    by: hands.operations,
    at: workingMoment(now, { daysAgo: 15, at: '08:48' }),
    name: stocktaking.name,
    item: stocktaking,
  })
  chronicle.create(holidays, {
    in: group,
    by: hands.operations,
    at: workingMoment(now, { daysAgo: 12, at: '13:09' }),
    name: shortHours.name,
    item: shortHours,
  })
}

function describePlaces({ chronicle, now }: Part) {
  chronicle.change(doors, 'Reception', {
    by: hands.operations,
    at: workingMoment(now, { daysAgo: 20, at: '09:35' }),
    changes: { unlockSchedule: chronicle.idOf(schedules, 'Office hours') },
  })
  chronicle.change(doors, 'Mezzanine door', {
    by: hands.installer,
    at: workingMoment(now, { daysAgo: 18, at: '10:51' }),
    changes: { enabled: false },
  })
  chronicle.change(doors, 'Freezer 4', {
    by: hands.installer,
    at: workingMoment(now, { daysAgo: 22, at: '09:02' }),
    changes: { heldOpenAfterSeconds: 25 },
  })
  for (const { door, mode, until, daysAgo, at: time } of modeChanges) {
    const at = momentBefore(now, { daysAgo, at: time })
    const modeVersion = z.int().parse(chronicle.find(doors, door)['modeVersion']) + 1
    const modeUntil = until === undefined ? null : new Date(momentBefore(now, { daysAgo, at: until })).toISOString()
    const more = { mode, modeUntil, modeVersion, modeSetAt: new Date(at).toISOString() }
    chronicle.change(doors, door, { by: hands.operations, at, changes: {}, more })
  }
  const { unit, from, until } = inspection(now)
  chronicle.change(units, unit, { by: hands.installer, at: from, changes: { inService: false } })
  chronicle.change(units, unit, { by: hands.installer, at: until, changes: { inService: true } })
}

function describePapers({ chronicle, now }: Part) {
  chronicle.change(contacts, 'London reception', {
    by: access,
    at: workingMoment(now, { daysAgo: 19, at: '09:22' }),
    changes: { note: 'Until six; then the mobile phone of the caretaker.' },
  })
  const report = (name: string, daysAgo: number, filter: Record<string, unknown>) =>
    chronicle.create(reports, {
      in: group,
      by: hands.operations,
      at: workingMoment(now, { daysAgo, at: '12:52' }),
      name,
      item: { name, filter },
    })
  const dayOf = (daysAgo: number) => ({
    gte: new Date(momentBefore(now, { daysAgo, at: '00:00' })).toISOString(),
    lt: new Date(momentBefore(now, { daysAgo: daysAgo - 1, at: '00:00' })).toISOString(),
  })
  const [forced] = forcedDoors
  report(`${forced.door} forced`, forced.daysAgo - 1, {
    door: chronicle.idOf(doors, forced.door),
    occurredAt: dayOf(forced.daysAgo),
  })
  report('Stolen and lost cards', 6, { reason: { in: ['credential_lost', 'credential_stolen'] } })
  report('Refused at the cold rooms', 3, {
    outcome: 'denied',
    door: { in: ['Freezer 4', 'Freezer 5', 'Bonded store'].map((door) => chronicle.idOf(doors, door)) },
  })
}

type CardChange = {
  holder: string
  status: CredentialStatus
  daysAgo: number
  at: string
  isReplaced: boolean
}

/** The first card of each user. */
type FirstCards = ReadonlyMap<string, Card>

/** Disables the first cards of some users, and issues new ones a few minutes later. */
function changeCards({ chronicle, now, random, firstCards }: Part, changes: readonly CardChange[]) {
  const number = makeNumbering(random)
  for (const { holder, status, isReplaced, ...moment } of changes) {
    const at = workingMoment(now, moment)
    const card = firstCards.get(holder)
    if (!card) throw new Error(`${holder} has no card`)
    const { account } = card
    const by = hands.ofPeople(account)
    chronicle.change(credentials, card.number, { by, at, changes: { status } })
    if (!isReplaced) continue
    const fresh = unused(chronicle, () => number.card(account))
    chronicle.create(credentials, {
      in: account,
      by,
      at: at + 150_000 + random.between(0, 240_000),
      name: fresh,
      item: { kind: 'card', number: fresh, user: chronicle.idOf(users, holder) },
    })
  }
}

function unused(chronicle: Chronicle, make: () => string): string {
  const number = make()
  return chronicle.knows(credentials, number) ? unused(chronicle, make) : number
}
