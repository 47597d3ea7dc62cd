import type { Collection } from '@portcullis/contract/collection'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { Chronicle } from './chronicle.ts'
import { eveningAfter } from './days.ts'
import type { DemoRule } from './rules.ts'

type Added = { rule: DemoRule; by: string; at: number; now: Date }

/** Adds a rule to the chronicle, with the ids of the items that it names. */
export function addRule(chronicle: Chronicle, { rule, by, at, now }: Added) {
  const { account, name, effect, direction, adhocDays, note = null, schedule } = rule
  const subjects = <K extends string>(kind: K, collection: Collection, names: readonly string[] = []) =>
    names.map((one) => ({ kind, id: chronicle.idOf(collection, one) }))
  chronicle.create(rules, {
    in: account,
    by,
    at,
    name,
    item: {
      name,
      effect,
      direction,
      note,
      who: [...subjects('User Group', userGroups, rule.groups), ...subjects('User', users, rule.people)],
      where: [
        ...subjects('Door', doors, rule.doors),
        ...subjects('Door Group', doorGroups, rule.doorGroups),
        ...subjects('Site', sites, rule.sites),
        ...subjects('Site Group', siteGroups, rule.siteGroups),
      ],
      schedule: schedule === null ? null : chronicle.idOf(schedules, schedule),
      adhoc: adhocDays ? { from: eveningAfter(now, adhocDays.from), until: eveningAfter(now, adhocDays.until) } : null,
    },
  })
}
