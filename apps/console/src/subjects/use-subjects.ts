import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { useNames } from '../item/use-names.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Subject, SubjectKind } from './rule-subjects.ts'
import { useWhole } from './use-whole.ts'

/** Names and sizes of the subjects of rules: groups and their members, users, doors, sites. */
export function useSubjects(subjects: readonly Subject[]) {
  const maySee = { people: useCan('view', 'Users'), places: useCan('view', sites.subject) }
  const ids = (kind: SubjectKind, isSeen: boolean) =>
    isSeen ? subjects.filter((each) => each.kind === kind).map(({ id }) => id) : []
  const names = {
    User: useNames(users, ids('User', maySee.people)),
    'User Group': useNames(userGroups, ids('User Group', maySee.people)),
    Door: useNames(doors, ids('Door', maySee.places)),
    Site: useNames(sites, ids('Site', maySee.places)),
    'Door Group': useNames(doorGroups, ids('Door Group', maySee.places)),
    'Site Group': useNames(siteGroups, ids('Site Group', maySee.places)),
  } satisfies Record<SubjectKind, ReadonlyMap<string, string | null>>
  const groups = [useWhole(userGroups).byId, useWhole(doorGroups).byId, useWhole(siteGroups).byId]
  const allDoors = useWhole(doors)

  function isHidden(kind: SubjectKind) {
    return kind === 'User' || kind === 'User Group' ? !maySee.people : !maySee.places
  }

  /** `undefined` while it loads. */
  function nameOf({ kind, id }: Subject): string | undefined {
    if (isHidden(kind)) return text('rules.hidden')
    const name = names[kind].get(id)
    return name === null ? text('form.removed') : name
  }

  function membersOf(id: string) {
    return groups.map((byId) => byId.get(id)?.members).find((members) => members !== undefined)
  }

  /** The number of users, doors or sites in a group or a site, if known. */
  function sizeOf({ kind, id }: Subject): number | undefined {
    if (kind !== 'Site') return membersOf(id)?.length
    return allDoors.isWhole ? [...allDoors.byId.values()].filter(({ site }) => site === id).length : undefined
  }

  return { nameOf, sizeOf, isEmpty: (id: string) => membersOf(id)?.length === 0 }
}
