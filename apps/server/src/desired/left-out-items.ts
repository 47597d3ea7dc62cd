import type { CompiledUnit } from '@portcullis/domain/configuration/compile-unit'
import type { UnitDoor } from '@portcullis/domain/configuration/unit-config'
import { appliesAtReader } from '@portcullis/domain/explore/openings'
import { stepSize } from '@portcullis/domain/steps'
import { z } from 'zod'

/** Cardholders are named among these. */
const maxHolders = 1_000

/** The items that a configuration leaves out, as they are stored. */
export const leftOutItems = z.object({
  /** How many. */
  credentials: z.int(),
  /** The id of the oldest of them. */
  oldestCredential: z.uuid().nullable().default(null),
  /** How many cardholders, and the membership keys of at most 1,000. */
  holders: z.int(),
  holderKeys: z.array(z.string()),
  /** How many of these cardholders have access at each door, by its id: an allow rule for a direction with a reader. */
  incomplete: z.record(z.string(), z.int()),
  /** Ids. */
  doors: z.array(z.string()),
  schedules: z.array(z.string()),
})
export type LeftOutItems = z.output<typeof leftOutItems>

/** Null where everything fits. In short steps. */
export function* leftOutItemsOf({
  head,
  access,
  leftOut,
}: Pick<CompiledUnit, 'head' | 'access' | 'leftOut'>): Generator<undefined, LeftOutItems | null> {
  const { credentials, oldestCredential, holders, doors, schedules } = leftOut
  if (credentials + doors.length + schedules.length === 0) return null
  const incomplete: Record<string, number> = {}
  // Cardholders with the same groups share one list.
  const lists = Map.groupBy(holders, ([, holder]) => holder.access)
  let count = 0
  for (const [number, door] of Object.entries(head.doors)) {
    yield
    if (!door.enabled) continue
    const ids = yield* allowedAt({ head, access, number, door })
    for (const [own, sharing] of ids.size > 0 ? lists : []) {
      if (++count % stepSize === 0) yield
      if (own.some((id) => ids.has(id))) incomplete[door._id] = (incomplete[door._id] ?? 0) + sharing.length
    }
  }
  const holderKeys = holders.slice(0, maxHolders).map(([key]) => key)
  return {
    credentials,
    oldestCredential,
    holders: holders.length,
    holderKeys,
    incomplete,
    doors: [...doors],
    schedules: [...schedules],
  }
}

type AllowedAt = Pick<CompiledUnit, 'head' | 'access'> & { number: string; door: UnitDoor }

/** The users and groups that an allow rule names at a door, for a direction with a reader. */
function* allowedAt({ head, access, number, door }: AllowedAt): Generator<undefined, ReadonlySet<string>> {
  const rules = Object.entries(head.rules).filter(([, rule]) => appliesAtReader(rule, door))
  const applying = new Set(rules.map(([id]) => id))
  const ids = new Set<string>()
  for (const [at, [id, subject]] of access.entries()) {
    if (at % stepSize === stepSize - 1) yield
    if (subject.doors[number]?.allow.some((rule) => applying.has(rule))) ids.add(id)
  }
  return ids
}
