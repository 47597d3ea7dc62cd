import { stepSize } from '../steps.ts'
import { type ConfigDelta, type ConfigDocument, diffInSteps, isEqual, sectionOf } from './config-delta.ts'

const itemParts = ['doors', 'rules', 'schedules', 'sites', 'areas', 'holders', 'credentials'] as const

export type ConfigPart = (typeof itemParts)[number] | 'inService' | 'period'
export type ConfigChange = 'added' | 'changed' | 'removed'

export type ConfigDifference = {
  /** The ids of the items of each part that differ; `inService` and `period` are one item each. */
  readonly parts: ReadonlyMap<ConfigPart, Readonly<Record<ConfigChange, readonly string[]>>>
  /** The keys of holders with access or credentials that only the desired configuration has. */
  readonly missing: ReadonlySet<string>
  /** The same for what only the applied one has, except what the desired one leaves out for lack of room. */
  readonly outdated: ReadonlySet<string>
}

type DifferenceOptions = {
  /** Whether the desired configuration has no room for this holder's credentials, by its key, or for this credential, by its `_id`. */
  readonly isLeftOut?: (id: string) => boolean
  /** Holders that are the same in both and missing in both documents. Needed if there are `changedSubjects`. */
  readonly commonHolders?: ConfigDocument
}

/** An entry that differs; undefined where it is missing. */
type Entry = { readonly key: string; readonly applied: unknown; readonly desired: unknown }

/**
 * What the desired configuration of a unit changes in its applied one (null: the unit has none), in short steps. Entries
 * that are the same in both may be missing in both documents.
 */
export function* configDifference(
  applied: ConfigDocument | null,
  desired: ConfigDocument,
  { isLeftOut, commonHolders = {} }: DifferenceOptions = {},
): Generator<undefined, ConfigDifference> {
  const delta = yield* diffInSteps(applied ?? {}, desired)
  const holders = { ...sectionOf(desired['holders']), ...commonHolders }
  const ofSubjects = yield* holdersOfSubjects(holders, { subjects: changedSubjects(applied, desired), delta })
  const parts = new Map<ConfigPart, Record<ConfigChange, string[]>>()
  const [missing, outdated] = [new Set<string>(), new Set<string>()]
  for (const part of itemParts) {
    const entries = [...entriesOf(delta, part, applied), ...(part === 'holders' ? ofSubjects : [])]
    parts.set(part, yield* changedItems(entries))
    if (part === 'holders' || part === 'credentials') yield* noteHolders(entries, { missing, outdated, isLeftOut })
  }
  for (const setting of applied === null ? [] : changedSettings(delta)) {
    parts.set(setting, { added: [], changed: [setting], removed: [] })
  }
  return { parts, missing, outdated }
}

function entriesOf({ set, removed }: ConfigDelta, part: ConfigPart, applied: ConfigDocument | null): Entry[] {
  const before = sectionOf(applied?.[part])
  return [
    ...Object.entries(set[part] ?? {}).map(([key, entry]) => ({ key, applied: before[key], desired: entry })),
    ...(removed[part] ?? []).map((key) => ({ key, applied: before[key], desired: undefined })),
  ]
}

/** The keys in `access` that both have with other rules: the holders who name them change, too. */
export function changedSubjects(applied: ConfigDocument | null, desired: ConfigDocument): ReadonlySet<string> {
  const [before, after] = [sectionOf(applied?.['access']), sectionOf(desired['access'])]
  const isChanged = (id: string) => Object.hasOwn(after, id) && !isEqual(before[id], after[id])
  return new Set(Object.keys(before).filter(isChanged))
}

type OfSubjects = { readonly subjects: ReadonlySet<string>; readonly delta: ConfigDelta }

/** Without those that differ themselves. */
function* holdersOfSubjects(
  holders: ConfigDocument,
  { subjects, delta }: OfSubjects,
): Generator<undefined, readonly Entry[]> {
  const found: Entry[] = []
  if (subjects.size === 0) return found
  let count = 0
  for (const [key, holder] of Object.entries(holders)) {
    if (++count % stepSize === 0) yield
    const named: unknown = sectionOf(holder)['access']
    const isNamed = Array.isArray(named) && named.some((id: unknown) => typeof id === 'string' && subjects.has(id))
    if (isNamed && !Object.hasOwn(delta.set['holders'] ?? {}, key))
      found.push({ key, applied: holder, desired: holder })
  }
  return found
}

/** A credential with another number has another key, and a door another door number: their `_id` is the same. */
function* changedItems(entries: readonly Entry[]): Generator<undefined, Record<ConfigChange, string[]>> {
  const changes = new Map<string, ConfigChange>()
  let count = 0
  for (const { key, applied, desired } of entries) {
    if (++count % stepSize === 0) yield
    const change = changeOf(applied, desired)
    const id = textIn(desired ?? applied, '_id') ?? key
    const previous = changes.get(id) ?? change
    changes.set(id, previous === change ? change : 'changed')
  }
  const items: Record<ConfigChange, string[]> = { added: [], changed: [], removed: [] }
  for (const [id, change] of changes) items[change].push(id)
  return items
}

function changedSettings({ values }: ConfigDelta): readonly ConfigPart[] {
  const hasPeriod = 'from' in values || 'until' in values
  return [...('inService' in values ? ['inService' as const] : []), ...(hasPeriod ? ['period' as const] : [])]
}

function changeOf(applied: unknown, desired: unknown): ConfigChange {
  if (applied === undefined) return 'added'
  return desired === undefined ? 'removed' : 'changed'
}

type Holders = Pick<DifferenceOptions, 'isLeftOut'> & { missing: Set<string>; outdated: Set<string> }

function* noteHolders(
  entries: readonly Entry[],
  { missing, outdated, isLeftOut }: Holders,
): Generator<undefined, void> {
  let count = 0
  for (const { key, applied, desired } of entries) {
    if (++count % stepSize === 0) yield
    const [before, after] = [holderOf(key, applied), holderOf(key, desired)]
    if (before === after) continue
    if (after !== undefined) missing.add(after)
    if (before !== undefined && !(after === undefined && isLeftOut?.(textIn(applied, '_id') ?? key)))
      outdated.add(before)
  }
}

/** An entry of a holder has the key of this holder. */
function holderOf(key: string, entry: unknown) {
  return entry === undefined ? undefined : (textIn(entry, 'holder') ?? key)
}

/** Doors and credentials have an `_id`, and credentials a holder; other items have neither. */
function textIn(entry: unknown, field: '_id' | 'holder'): string | undefined {
  const value = sectionOf(entry)[field]
  return typeof value === 'string' ? value : undefined
}
