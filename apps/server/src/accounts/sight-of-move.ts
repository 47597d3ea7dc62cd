import type { Role } from '@portcullis/contract/abilities'
import { mostNamed, type RoleChange } from '@portcullis/contract/calls/accounts'

/** A role that somebody holds in an account, with its key. */
export type Held = { _id: string; name: string; account: number; role: Role }

type Move = {
  /** The keys from the account itself upward, as it stands and as it would stand. */
  before: readonly number[]
  after: readonly number[]
  held: readonly Held[]
  /** Keys of accounts that are suspended: roles held there and below count for nothing. */
  suspended: ReadonlySet<number>
}

/** Who comes to see an account by a move, who no longer does, and who does in another role; by name. */
export function sightOfMove({ before, after, held, suspended }: Move) {
  const [was, willBe] = [before, after].map((upward) => nearestRoles(upward, { held, suspended }))
  const people = new Map(held.map(({ _id, name }) => [_id, name]))
  const all = [...people]
    .map(([_id, name]): RoleChange => ({ _id, name, before: shown(was?.get(_id)), after: shown(willBe?.get(_id)) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return {
    gains: counted(all.filter((each) => each.before === null && each.after !== null)),
    loses: counted(all.filter((each) => each.before !== null && each.after === null)),
    changes: counted(all.filter((each) => each.before && each.after && each.before !== each.after)),
  }
}

/** The role of each person in the first account upward where they hold one that counts. */
function nearestRoles(upward: readonly number[], { held, suspended }: Pick<Move, 'held' | 'suspended'>) {
  const roles = new Map<string, Role>()
  const last = upward.findLastIndex((key) => suspended.has(key))
  for (const key of upward.slice(last + 1)) {
    for (const { _id, role } of held.filter(({ account }) => account === key)) if (!roles.has(_id)) roles.set(_id, role)
  }
  return roles
}

/** An app user has their own door requests and sees nothing of an account. */
function shown(role: Role | undefined) {
  return role === undefined || role === 'appUser' ? null : role
}

function counted(people: RoleChange[]) {
  return { count: people.length, people: people.slice(0, mostNamed) }
}
