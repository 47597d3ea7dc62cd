import { stepSize } from '../steps.ts'
import { membersOf, partsOfConfig } from './config-members.ts'

const itemParts = ['doors', 'rules', 'schedules', 'sites', 'areas', 'holders', 'credentials'] as const

export type ConfigPart = (typeof itemParts)[number] | 'inService' | 'period'
export type ConfigChange = 'added' | 'changed' | 'removed'

export type ConfigDifference = {
  /** The ids of the items of each part that differ; `inService` and `period` are one item each. */
  readonly parts: ReadonlyMap<ConfigPart, Readonly<Record<ConfigChange, readonly string[]>>>
  /** The keys of holders with access or credentials that only the desired configuration has. */
  readonly missing: ReadonlySet<string>
  /** The same for what only the applied one has. */
  readonly outdated: ReadonlySet<string>
}

/** A member of both parts, or of one. */
type Entry = { readonly key: string; readonly applied: string | undefined; readonly desired: string | undefined }

/**
 * What the desired configuration of a unit changes in its applied one (null: the unit has none), from their texts, in
 * short steps.
 */
export function* configDifference(applied: string | null, desired: string): Generator<undefined, ConfigDifference> {
  const before: ReadonlyMap<string, string> = applied === null ? new Map() : partsOfConfig(applied)
  const after = partsOfConfig(desired)
  const parts = new Map<ConfigPart, Record<ConfigChange, string[]>>()
  const [missing, outdated] = [new Set<string>(), new Set<string>()]
  for (const part of itemParts) {
    const entries = yield* differingEntries(before.get(part), after.get(part))
    parts.set(part, yield* changedItems(entries))
    if (part === 'holders' || part === 'credentials') yield* noteHolders(entries, { missing, outdated })
  }
  if (applied !== null) {
    const differs = (name: string) => before.get(name) !== after.get(name)
    if (differs('inService')) parts.set('inService', changedOnly('inService'))
    if (differs('from') || differs('until')) parts.set('period', changedOnly('period'))
  }
  return { parts, missing, outdated }
}

function* differingEntries(applied = '{}', desired = '{}'): Generator<undefined, Entry[]> {
  if (applied === desired) return []
  const before = new Map<string, string>()
  let count = 0
  for (const [key, value] of membersOf(applied)) {
    if (++count % stepSize === 0) yield
    before.set(key, value)
  }
  const entries: Entry[] = []
  for (const [key, value] of membersOf(desired)) {
    if (++count % stepSize === 0) yield
    const previous = before.get(key)
    if (previous !== value) entries.push({ key, applied: previous, desired: value })
    before.delete(key)
  }
  for (const [key, value] of before) entries.push({ key, applied: value, desired: undefined })
  return entries
}

/** A credential with another number has another key, and a door another door number: their `_id` is the same. */
function* changedItems(entries: readonly Entry[]): Generator<undefined, Record<ConfigChange, string[]>> {
  const changes = new Map<string, ConfigChange>()
  let count = 0
  for (const { key, applied, desired } of entries) {
    if (++count % stepSize === 0) yield
    const change = changeOf(applied, desired)
    const id = idIn(desired ?? applied) ?? key
    const previous = changes.get(id) ?? change
    changes.set(id, previous === change ? change : 'changed')
  }
  const items: Record<ConfigChange, string[]> = { added: [], changed: [], removed: [] }
  for (const [id, change] of changes) items[change].push(id)
  return items
}

function changedOnly(id: string): Record<ConfigChange, string[]> {
  return { added: [], changed: [id], removed: [] }
}

function changeOf(applied: string | undefined, desired: string | undefined): ConfigChange {
  if (applied === undefined) return 'added'
  return desired === undefined ? 'removed' : 'changed'
}

type Holders = { missing: Set<string>; outdated: Set<string> }

function* noteHolders(entries: readonly Entry[], { missing, outdated }: Holders): Generator<undefined, void> {
  let count = 0
  for (const { key, applied, desired } of entries) {
    if (++count % stepSize === 0) yield
    const before = applied === undefined ? undefined : (holderIn(applied) ?? key)
    const after = desired === undefined ? undefined : (holderIn(desired) ?? key)
    if (before === after) continue
    if (after !== undefined) missing.add(after)
    if (before !== undefined) outdated.add(before)
  }
}

/** `_id` begins a door and a credential, and its holder follows in a credential; other items have neither. */
const beginning = /^\{"_id":"([^"]*)"(?:,"holder":"([^"]*)")?/

function idIn(text = ''): string | undefined {
  return beginning.exec(text)?.[1]
}

function holderIn(text: string): string | undefined {
  return beginning.exec(text)?.[2]
}
