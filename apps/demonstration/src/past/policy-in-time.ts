import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import { policyOf } from '@portcullis/domain/decision/policy-index'
import type { Door, Group, Policy } from '@portcullis/domain/policy'
import { storedPolicy } from '@portcullis/server/policy/stored-policy'
import type { z } from 'zod'
import type { ChronicleEntry } from '../world/chronicle.ts'
import { versionsOf } from '../world/write-history.ts'

/** The policy that applied from a moment until the next. */
export type PolicyThen = { from: number; version: number; index: PolicyIndex }

export type PolicyInTime = { at: (moment: number) => PolicyThen }

type PolicyInTimeInput = { now: PolicyIndex; entries: readonly ChronicleEntry[]; since: number }

/** The policy at any past moment: the current one with each later change reverted, the newest first. */
export function policyInTime({ now, entries, since }: PolicyInTimeInput): PolicyInTime {
  const versions = versionsOf(entries)
  const later = versions.filter(({ entry }) => entry.at > since && entry.collection.isPolicy)
  const newest = { from: later.at(-1)?.entry.at ?? since, version: now.version, index: now }
  const times: PolicyThen[] = [newest]
  let policy = policyOf(now)
  for (let at = later.length - 1; at >= 0; at--) {
    const [step, before] = [later[at], later[at - 1]]
    if (!step) break
    policy = { ...policyBefore(policy, step.entry), version: step.version - 1 }
    times.push({ from: before?.entry.at ?? since, version: policy.version, index: policyIndex(policy) })
  }
  return { at: (moment) => times.find(({ from }) => from <= moment) ?? times.at(-1) ?? newest }
}

function policyBefore(policy: Policy, entry: ChronicleEntry): Policy {
  switch (entry.collection.name) {
    case users.name:
      return { ...policy, users: back(policy.users, entry, storedPolicy.users.schema) }
    case credentials.name:
      return { ...policy, credentials: back(policy.credentials, entry, storedPolicy.credentials.schema) }
    case userGroups.name:
      return { ...policy, userGroups: back<Group>(policy.userGroups, entry, storedPolicy.userGroups.schema) }
    case doors.name:
      return { ...policy, doors: back<Door>(policy.doors, entry, storedPolicy.doors.schema) }
    case units.name:
      return { ...policy, units: back(policy.units, entry, storedPolicy.units.schema) }
    case rules.name:
      return { ...policy, rules: back(policy.rules, entry, storedPolicy.rules.schema) }
    case schedules.name:
      return { ...policy, schedules: back(policy.schedules, entry, storedPolicy.schedules.schema) }
    case holidays.name:
      return { ...policy, holidays: back(policy.holidays, entry, storedPolicy.holidays.schema) }
    default:
      throw new Error(`a change of ${entry.collection.name} cannot be undone`)
  }
}

type Identified = { readonly _id: string }

/** The list without a created item, or with the previous values of a changed one. */
function back<T extends Identified>(list: readonly T[], entry: ChronicleEntry, schema: z.ZodType<T>): T[] {
  return list.flatMap((one) => {
    if (one._id !== entry.item) return [one]
    return entry.before === null ? [] : [schema.parse({ ...one, ...entry.before })]
  })
}
