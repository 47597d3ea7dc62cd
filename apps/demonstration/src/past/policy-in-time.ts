import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Policy } from '@portcullis/domain/policy'
import type { Deed } from '../world/chronicle.ts'
import { versionsOf } from '../world/write-history.ts'

/** What was in force from a moment on, until the next one. */
export type PolicyThen = { from: number; version: number; index: PolicyIndex }

export type PolicyInTime = { at: (moment: number) => PolicyThen }

type Asked = { now: PolicyIndex; deeds: readonly Deed[]; since: number }

/** The policy as it was at any moment since: from what is in force now, each later deed is taken back, the newest first. */
export function policyInTime({ now, deeds, since }: Asked): PolicyInTime {
  const versions = versionsOf(deeds)
  const later = versions.filter(({ deed }) => deed.at > since && deed.collection.isPolicy)
  const newest = { from: later.at(-1)?.deed.at ?? since, version: now.policy.version, index: now }
  const times: PolicyThen[] = [newest]
  let { policy } = now
  for (let at = later.length - 1; at >= 0; at--) {
    const [step, before] = [later[at], later[at - 1]]
    if (!step) break
    policy = { ...policyBefore(policy, step.deed), version: step.version - 1 }
    times.push({ from: before?.deed.at ?? since, version: policy.version, index: policyIndex(policy) })
  }
  return { at: (moment) => times.find(({ from }) => from <= moment) ?? times.at(-1) ?? newest }
}

function policyBefore(policy: Policy, deed: Deed): Policy {
  switch (deed.collection.name) {
    case users.name:
      return { ...policy, users: back(policy.users, deed, (value) => users.entitySchema.parse(value)) }
    case credentials.name:
      return { ...policy, credentials: back(policy.credentials, deed, credentialFrom) }
    case userGroups.name:
      return { ...policy, userGroups: back(policy.userGroups, deed, (value) => userGroups.entitySchema.parse(value)) }
    case doors.name:
      return {
        ...policy,
        doors: back(policy.doors, deed, (value, door) => ({ ...door, ...doors.entitySchema.parse(value) })),
      }
    case units.name:
      return { ...policy, units: back(policy.units, deed, (value) => units.entitySchema.parse(value)) }
    case rules.name:
      return { ...policy, rules: back(policy.rules, deed, (value) => rules.entitySchema.parse(value)) }
    case schedules.name:
      return { ...policy, schedules: back(policy.schedules, deed, (value) => schedules.entitySchema.parse(value)) }
    case holidays.name:
      return { ...policy, holidays: back(policy.holidays, deed, (value) => holidays.entitySchema.parse(value)) }
    default:
      throw new Error(`nobody knows how to take back a change of ${deed.collection.name}`)
  }
}

type Identified = { readonly _id: string }

/** What was created goes, what was changed is as it was. */
function back<T extends Identified>(list: readonly T[], deed: Deed, read: (value: unknown, after: T) => T): T[] {
  return list.flatMap((one) => {
    if (one._id !== deed.item) return [one]
    return deed.before === null ? [] : [read({ ...one, ...deed.before }, one)]
  })
}

function credentialFrom(value: unknown) {
  const { number, ...credential } = credentials.entitySchema.parse(value)
  return { ...credential, number: number ?? '' }
}
