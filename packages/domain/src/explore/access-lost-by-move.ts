import { accessOfUsers, type NumberedDoor } from '../configuration/access-of-users.ts'
import type { GroupIndex, PolicyIndex } from '../decision/policy-index.ts'
import type { Door } from '../policy.ts'

export type DoorsMove = {
  doors: readonly Door[]
  /** The account that they move to. */
  account: string
  /** The sites that stay behind; the new account gets copies of them, which are in no group or rule. */
  copiedSites: ReadonlySet<string>
  now: number
}

/**
 * The users who may open at least one of the doors at some time before the move, and none after it. No user gains access:
 * the new account cannot have named the doors before. In short steps.
 */
export function* accessLostByMove(
  index: PolicyIndex,
  { doors, account, copiedSites, now }: DoorsMove,
): Generator<undefined, string[]> {
  const span = { from: now, until: Number.POSITIVE_INFINITY }
  const numbered = (all: readonly Door[]) => all.map((door, at): NumberedDoor => [`${at}`, door])
  const before = yield* accessOfUsers({ index, doors: numbered(doors), span })
  const moved = doors.map((door) => ({ ...door, account, site: copiedSites.has(door.site) ? '' : door.site }))
  const after = yield* accessOfUsers({ index: indexIn(index, account), doors: numbered(moved), span })
  return [...before.keys()].filter((user) => !after.has(user))
}

/** Moved doors and sites stay only in groups of the new account and of those above it. */
function indexIn(index: PolicyIndex, account: string): PolicyIndex {
  const lineage = index.lineageOf(account)
  const kept = ({ groups, ...rest }: GroupIndex): GroupIndex => ({
    ...rest,
    groups: new Map([...groups].filter(([, group]) => lineage.includes(group.account))),
  })
  return { ...index, doorGroups: kept(index.doorGroups), siteGroups: kept(index.siteGroups) }
}
