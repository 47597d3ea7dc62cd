import type { Collection } from '@portcullis/contract/collection'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { WhereKind, WhoKind } from '@portcullis/domain/policy'
import { text } from '../text/text.ts'

export type SubjectKind = WhoKind | WhereKind
/** A subject in a form. */
export type Subject<K extends SubjectKind = SubjectKind> = { kind: K; id: string }

type Of = { of: Collection; label: string }

/** The collection of each kind of subject, and the label of its list. */
export const subjectKinds = {
  'User Group': { of: userGroups, label: text('rules.groups') },
  User: { of: users, label: text('rules.people') },
  'Door Group': { of: doorGroups, label: text('rules.doorGroups') },
  Site: { of: sites, label: text('rules.sites') },
  Door: { of: doors, label: text('rules.doors') },
  'Site Group': { of: siteGroups, label: text('rules.siteGroups') },
} as const satisfies Record<SubjectKind, Of>

/** The kind of a subject, with the number of its members if known: `group, 42 people`. */
export function kindInWords(kind: SubjectKind, size: number | undefined): string {
  switch (kind) {
    case 'User':
      return text('rules.kinds.person')
    case 'Door':
      return text('rules.kinds.door')
    case 'User Group':
      return size === undefined ? text('rules.kinds.groupOnly') : text('rules.kinds.group', { count: size })
    case 'Door Group':
      return size === undefined ? text('rules.kinds.doorGroupOnly') : text('rules.kinds.doorGroup', { count: size })
    case 'Site':
      return size === undefined ? text('rules.kinds.siteOnly') : text('rules.kinds.site', { count: size })
    case 'Site Group':
      return size === undefined ? text('rules.kinds.siteGroupOnly') : text('rules.kinds.siteGroup', { count: size })
  }
}
