import type { Role } from '@portcullis/contract/abilities'
import { maxNamedUsers, type RoleChange } from '@portcullis/contract/calls/accounts'

/** A user's role in the account with this key. */
export type Held = { _id: string; name: string; account: number; role: Role }

type Move = {
  /** The keys from the account up to its root, before and after the move. */
  before: readonly number[]
  after: readonly number[]
  /** Keys of the accounts whose roles may be shown: users whose change another role explains are only counted. */
  visible: readonly number[]
  held: readonly Held[]
  /** Keys of suspended accounts: roles held there and below do not count. */
  suspended: ReadonlySet<number>
}

/** The users who gain access to an account by a move, lose it or change roles; sorted by name. */
export function accessChangesOfMove({ before, after, visible, held, suspended }: Move) {
  const [was, willBe] = [before, after].map((upward) => nearestRoles(upward, { held, suspended }))
  const people = new Map(held.map(({ _id, name }) => [_id, name]))
  const isNamed = ({ _id }: RoleChange) =>
    [was?.get(_id), willBe?.get(_id)].every((role) => role === undefined || visible.includes(role.account))
  const all = [...people]
    .map(([_id, name]): RoleChange => ({ _id, name, before: shown(was?.get(_id)), after: shown(willBe?.get(_id)) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const counted = (changed: RoleChange[]) => ({
    count: changed.length,
    people: changed.filter(isNamed).slice(0, maxNamedUsers),
  })
  return {
    gains: counted(all.filter((each) => each.before === null && each.after !== null)),
    loses: counted(all.filter((each) => each.before !== null && each.after === null)),
    changes: counted(all.filter((each) => each.before && each.after && each.before !== each.after)),
  }
}

/** Each user's role in the nearest account, going upward, where they hold one that counts. */
function nearestRoles(upward: readonly number[], { held, suspended }: Pick<Move, 'held' | 'suspended'>) {
  const roles = new Map<string, Held>()
  const last = upward.findLastIndex((key) => suspended.has(key))
  for (const key of upward.slice(last + 1)) {
    for (const role of held.filter(({ account }) => account === key))
      if (!roles.has(role._id)) roles.set(role._id, role)
  }
  return roles
}

/** An app user sees only their own door requests, nothing of an account. */
function shown(held: Held | undefined) {
  return held === undefined || held.role === 'appUser' ? null : held.role
}
