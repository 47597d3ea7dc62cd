import type { Collection } from './collection.ts'
import { doorGroups } from './collections/door-groups.ts'
import { siteGroups } from './collections/site-groups.ts'
import { userGroups } from './collections/user-groups.ts'

const lookups: Readonly<Record<string, readonly Collection[]>> = {
  users: [userGroups],
  doors: [doorGroups],
  sites: [siteGroups],
  units: [doorGroups, siteGroups],
  rules: [doorGroups, siteGroups, userGroups],
  events: [doorGroups, siteGroups, userGroups],
}

/** The kinds of groups to which items of a collection can belong, directly or through their doors, sites and users. */
export function groupKindsOf({ name }: Pick<Collection, 'name'>): readonly Collection[] {
  return lookups[name] ?? []
}
