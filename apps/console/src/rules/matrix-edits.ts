import type { EntityOf } from '@portcullis/contract/collection'
import type { rules } from '@portcullis/contract/collections/rules'

export type Rule = Pick<
  EntityOf<typeof rules>,
  '_id' | 'version' | 'name' | 'effect' | 'who' | 'where' | 'schedule' | 'direction' | 'adhoc' | 'enabled'
>
type Who = Rule['who'][number]
export type Place = Rule['where'][number]

/** Access of a group at a place: by which schedule, null for always. Undefined: none. */
export type Access = { schedule: string | null } | undefined
export type Edit = { group: string; place: Place; access: Access }

/** A rule that gives access in both directions: what a cell shows as a value and edits change. */
export function isPlain({ effect, direction, adhoc, enabled }: Rule) {
  return effect === 'allow' && direction === 'both' && adhoc === null && enabled
}

/** Whether a rule names the group and the place itself. */
export function isBetween({ who, where }: Rule, { group, place }: { group: string; place: string }) {
  return who.some(({ id }) => id === group) && where.some(({ id }) => id === place)
}

type New = { name: string; effect: 'allow'; who: Who[]; where: Place[]; schedule: string | null }
type Changed = { _id: string; version: number; who: Who[]; where: Place[] }
export type Batch = { save: (New | Changed)[]; delete: { _id: string; version: number }[] }

/** A rule while edits are applied to it. `was` is absent for one that an edit adds. */
type Draft = { name: string; schedule: string | null; who: readonly Who[]; where: readonly Place[]; was?: Rule }

type Input = { rules: readonly Rule[]; edits: readonly Edit[]; nameOf: (edit: Edit) => string }

/** As the contract limits the subjects of a rule. */
const maxSubjects = 1_000

/**
 * The batch that gives each edited pair the desired access, and leaves the access of all others as it is. A rule that gives
 * the access of several groups at several places is split. `rules` must contain all that name an edited pair.
 */
export function batchOf({ rules, edits, nameOf }: Input): Batch {
  let drafts: Draft[] = rules.filter(isPlain).map((was) => ({ ...was, was }))
  for (const edit of edits) {
    const pair = { group: edit.group, place: edit.place.id }
    const isOther = (each: Draft) => covers(each, pair) && each.schedule !== edit.access?.schedule
    for (let draft = drafts.find(isOther); draft; draft = drafts.find(isOther)) {
      drafts = without(drafts, { draft, edit, nameOf })
    }
    if (edit.access && !drafts.some((each) => covers(each, pair) && each.schedule === edit.access?.schedule)) {
      const { schedule } = edit.access
      drafts = withPlaces(drafts, { schedule, group: edit.group, places: [edit.place], name: nameOf(edit) })
    }
  }
  return differences(rules, drafts)
}

function covers({ who, where }: Draft, { group, place }: { group: string; place: string }) {
  return who.some(({ id }) => id === group) && where.some(({ id }) => id === place)
}

type WithoutInput = { draft: Draft; edit: Edit; nameOf: Input['nameOf'] }

/** Takes one pair out of a rule. The group keeps its access at the other places of the rule. */
function without(drafts: Draft[], { draft, edit, nameOf }: WithoutInput): Draft[] {
  const others = draft.who.filter(({ id }) => id !== edit.group)
  const elsewhere = draft.where.filter(({ id }) => id !== edit.place.id)
  const rest = drafts.filter((each) => each !== draft)
  if (others.length === 0) return elsewhere.length === 0 ? rest : [...rest, { ...draft, where: elsewhere }]
  const narrowed = [...rest, { ...draft, who: others }]
  if (elsewhere.length === 0) return narrowed
  const { schedule } = draft
  return withPlaces(narrowed, {
    schedule,
    group: edit.group,
    places: elsewhere,
    name: nameOf({ ...edit, access: { schedule } }),
  })
}

type WithPlacesInput = { schedule: string | null; group: string; places: readonly Place[]; name: string }

/** Gives a group access at places: in its own rule with that schedule, if it has one with room, otherwise in a new one. */
function withPlaces(drafts: Draft[], { schedule, group, places, name }: WithPlacesInput): Draft[] {
  const own = drafts.find(
    ({ who, where, ...each }) =>
      each.schedule === schedule &&
      who.length === 1 &&
      who[0]?.id === group &&
      where.length + places.length <= maxSubjects,
  )
  if (!own) return [...drafts, { name, schedule, who: [{ kind: 'User Group', id: group }], where: places }]
  const known = new Set(own.where.map(({ id }) => id))
  const where = [...own.where, ...places.filter(({ id }) => !known.has(id))]
  return drafts.map((each) => (each === own ? { ...own, where } : each))
}

function differences(before: readonly Rule[], drafts: readonly Draft[]): Batch {
  const kept = new Set(drafts.map(({ was }) => was?._id))
  const save = drafts.flatMap(({ was, name, schedule, who, where }): Batch['save'] => {
    const subjects = { who: [...who], where: [...where] }
    if (!was) return [{ name, effect: 'allow', ...subjects, schedule }]
    const isSame = isSameSet(was.who, who) && isSameSet(was.where, where)
    return isSame ? [] : [{ _id: was._id, version: was.version, ...subjects }]
  })
  const gone = before.filter((rule) => isPlain(rule) && !kept.has(rule._id))
  return { save, delete: gone.map(({ _id, version }) => ({ _id, version })) }
}

function isSameSet(before: readonly { id: string }[], after: readonly { id: string }[]) {
  const ids = new Set(before.map(({ id }) => id))
  return before.length === after.length && after.every(({ id }) => ids.has(id))
}
