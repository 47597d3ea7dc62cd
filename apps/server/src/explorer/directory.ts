import type { User } from '@portcullis/domain/policy'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'

export type Directory = {
  people: ReadonlyMap<string, Person>
  /** The account of each item except credentials, and users, who may belong to several. */
  accountOf: ReadonlyMap<string, string>
  nameOf: ReadonlyMap<string, string>
}

export type Person = { name: string; searchText: string; memberships: readonly User[] }

/** Names and accounts of the items in a policy; built once per version. */
export function directoryOf(index: PolicyIndex): Directory {
  const known = directories.get(index) ?? makeDirectory(index)
  directories.set(index, known)
  return known
}

/** Normalises a text for searching, without case and accents. */
export function searchTextOf(text: string) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

const directories = new WeakMap<PolicyIndex, Directory>()

function makeDirectory({ policy }: PolicyIndex): Directory {
  const { sites, doors, units, userGroups, doorGroups, siteGroups, rules, schedules, holidays } = policy
  const things = [sites, doors, units, userGroups, doorGroups, siteGroups, rules, schedules, holidays].flat()
  const people = new Map<string, { name: string; searchText: string; memberships: User[] }>()
  for (const user of policy.users) {
    const person = people.get(user._id)
    if (person) person.memberships.push(user)
    else people.set(user._id, { name: user.name, searchText: searchTextOf(user.name), memberships: [user] })
  }
  return {
    people,
    accountOf: new Map(things.map(({ _id, account }) => [_id, account])),
    nameOf: new Map(things.map(({ _id, name }) => [_id, name])),
  }
}
