import { stepSize, withoutInterruption } from '../steps.ts'

/** A configuration as JSON. A field with an object is a section of entries by key; any other is a plain value. */
export type ConfigDocument = Readonly<Record<string, unknown>>
type Section = Readonly<Record<string, unknown>>

/** The difference between two configurations. Entries are replaced as a whole. */
export type ConfigDelta = {
  /** All fields of the resulting configuration, in order; the others are left out. */
  readonly fields: readonly string[]
  /** Plain values that are new or differ. */
  readonly values: Readonly<Record<string, unknown>>
  /** By section: entries that are new or differ. */
  readonly set: Readonly<Record<string, Section>>
  /** By section: keys of entries that are gone. */
  readonly removed: Readonly<Record<string, readonly string[]>>
}

/** The difference that makes `next` of `base`. */
export function diffConfig(base: ConfigDocument, next: ConfigDocument): ConfigDelta {
  return withoutInterruption(diffInSteps(base, next))
}

/** The same in short steps. */
export function* diffInSteps(base: ConfigDocument, next: ConfigDocument): Generator<undefined, ConfigDelta> {
  const values: Record<string, unknown> = {}
  const set: Record<string, Section> = {}
  const removed: Record<string, readonly string[]> = {}
  for (const field of new Set([...Object.keys(base), ...Object.keys(next)])) {
    const [before, after] = [base[field], next[field]]
    if (isSection(before) || isSection(after)) {
      const [entries, gone] = yield* diffSection(sectionOf(before), sectionOf(after))
      if (Object.keys(entries).length > 0) set[field] = entries
      if (gone.length > 0) removed[field] = gone
    }
    if (after !== undefined && !isSection(after) && !isEqual(before, after)) values[field] = after
  }
  return { fields: Object.keys(next), values, set, removed }
}

/**
 * The configuration that `delta` makes of `base`. Its text by `JSON.stringify` is that of the configuration from which the
 * delta was made: sections are sorted by key, and keys that are whole numbers come first, by their number.
 */
export function applyDelta(base: ConfigDocument, { fields, values, set, removed }: ConfigDelta): ConfigDocument {
  return Object.fromEntries(
    fields.map((field) => {
      if (Object.hasOwn(values, field)) return [field, values[field]]
      const before = base[field] ?? {}
      const [entries, gone] = [set[field], removed[field]]
      if (entries === undefined && gone === undefined) return [field, before]
      return [field, changedSection(sectionOf(before), { entries: entries ?? {}, gone: new Set(gone) })]
    }),
  )
}

/** One delta for two in succession: applying it has the same result as applying `first`, then `second`. */
export function combineDeltas(first: ConfigDelta, second: ConfigDelta): ConfigDelta {
  const set: Record<string, Section> = {}
  const removed: Record<string, readonly string[]> = {}
  const sections = [first.set, first.removed, second.set, second.removed].flatMap((each) => Object.keys(each))
  for (const section of new Set(sections)) {
    const [later, gone] = [second.set[section] ?? {}, new Set(second.removed[section])]
    const kept = Object.entries(first.set[section] ?? {}).filter(([key]) => !gone.has(key))
    const entries = { ...Object.fromEntries(kept), ...later }
    for (const key of first.removed[section] ?? []) if (!Object.hasOwn(later, key)) gone.add(key)
    if (Object.keys(entries).length > 0) set[section] = entries
    if (gone.size > 0) removed[section] = [...gone]
  }
  return { fields: second.fields, values: { ...first.values, ...second.values }, set, removed }
}

function* diffSection(before: Section, after: Section) {
  const changed: [string, unknown][] = []
  for (const [at, [key, entry]] of Object.entries(after).entries()) {
    if (at % stepSize === 0) yield
    if (!Object.hasOwn(before, key) || !isEqual(before[key], entry)) changed.push([key, entry])
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return [Object.fromEntries(changed), gone] as const
}

function changedSection(before: Section, { entries, gone }: { entries: Section; gone: ReadonlySet<string> }) {
  const kept = Object.entries(before).filter(([key]) => !gone.has(key) && !Object.hasOwn(entries, key))
  return Object.fromEntries([...kept, ...Object.entries(entries)].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Equal content of a configuration is equal text. */
export function isEqual(one: unknown, other: unknown) {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The entries of a field, or of an entry; none of a plain value. */
export function sectionOf(value: unknown): Section {
  return isSection(value) ? value : {}
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
