import type { AccessMatrix } from '@portcullis/contract/calls/access-matrix'
import { type Access, type Edit, isPlain, type Place, type Rule } from './matrix-edits.ts'

/** What a cell shows: the access of a group at a place by the saved rules, and by the edits. */
export type Cell = {
  /** The schedules of plain rules that name both; null is always. */
  schedules: readonly (string | null)[]
  isChanged: boolean
  /** Whether a rule denies it, here or through what contains the place. */
  isDenied: boolean
  /** What contains the place and is named instead of it. */
  through: readonly string[]
  /** The number of rules that name both, and are neither plain nor deny. */
  others: number
  /** All of these rules. */
  rules: readonly Pick<Rule, '_id' | 'name'>[]
}

export type Edits = ReadonlyMap<string, Edit>

type Input = Pick<AccessMatrix, 'rules' | 'containers'> & {
  groups: readonly string[]
  places: readonly string[]
  edits: Edits
}

/** The key of a pair in `Edits`. */
export function pairKey(group: string, place: string) {
  return `${group} ${place}`
}

/** Reads the cells of a matrix; the rules of all pairs are found once. */
export function cellsOf({ groups, places, rules, containers, edits }: Input) {
  const shownGroups = new Set(groups)
  const shownPlaces = new Set([...places, ...containers.map(({ _id }) => _id)])
  const named = rules.flatMap((rule) => {
    const where = rule.where.filter(({ id }) => shownPlaces.has(id))
    const who = rule.who.filter(({ id }) => shownGroups.has(id))
    return who.flatMap((group) => where.map((place) => ({ key: pairKey(group.id, place.id), rule })))
  })
  const direct = Map.groupBy(named, ({ key }) => key)
  const around = Map.groupBy(containers, ({ place }) => place)
  const between = (group: string, place: string): Rule[] =>
    (direct.get(pairKey(group, place)) ?? []).map(({ rule }) => rule)

  return (group: string, place: string): Cell => {
    const own = between(group, place)
    const edit = edits.get(pairKey(group, place))
    const containing = (around.get(place) ?? []).map(({ _id, name }) => ({ name, rules: between(group, _id) }))
    const all = [...own, ...containing.flatMap((each) => each.rules)]
    const before = [...new Set(own.filter(isPlain).map(({ schedule }) => schedule))]
    return {
      schedules: edit ? schedulesOf(edit.access) : before,
      isChanged: edit !== undefined,
      isDenied: all.some(({ effect, enabled }) => effect === 'deny' && enabled),
      through: containing.filter((each) => each.rules.some(isPlain)).map(({ name }) => name),
      rules: [...new Set(all)],
      others: own.filter((rule) => !isPlain(rule) && !(rule.effect === 'deny' && rule.enabled)).length,
    }
  }
}

function schedulesOf(access: Access) {
  return access ? [access.schedule] : []
}

type Set = {
  edits: Edits
  pairs: readonly { group: string; place: Place; access: Access }[]
  saved: (group: string, place: string) => Cell
}

/** Adds edits of several cells; one that gives a cell what it has already is none. */
export function withEdits({ edits, pairs, saved }: Set): Edits {
  const next = new Map(edits)
  for (const edit of pairs) {
    const key = pairKey(edit.group, edit.place.id)
    const { schedules } = saved(edit.group, edit.place.id)
    const desired = schedulesOf(edit.access)
    if (schedules.length === desired.length && schedules.every((each, at) => each === desired[at])) next.delete(key)
    else next.set(key, edit)
  }
  return next
}
