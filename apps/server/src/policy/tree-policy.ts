import { type AffectedUnits, applyItems } from '@portcullis/domain/configuration/affected-units'
import { emptyIndex, type UpdatableIndex } from '@portcullis/domain/decision/policy-index'
import type { PolicyList } from '@portcullis/domain/decision/update-index'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { readStored, storedLists, type UnreadableItem } from './stored-policy.ts'

/** The policy of one account tree in memory. */
export type TreePolicy = {
  /** Key of the topmost account. */
  readonly root: number
  readonly numbers: CredentialNumbers
  readonly index: UpdatableIndex
  /** Stored items that it leaves out, by list and id. */
  readonly unreadable: Map<string, UnreadableItem[]>
  /** Deny rules that cannot be read at all, by id: while there is one, no unit of the tree is compiled. */
  readonly blocking: Map<string, UnreadableItem>
}

export function emptyTree(root: number, numbers: CredentialNumbers): TreePolicy {
  return { root, numbers, index: emptyIndex(), unreadable: new Map(), blocking: new Map() }
}

type TakeStored<List> = { readonly list: List; readonly id: string; readonly texts: readonly string[] }

/** Takes over the items stored under one id of a list, as JSON. Returns the units affected. */
export function takeStored<List extends PolicyList>(
  { index, unreadable, blocking }: Pick<TreePolicy, 'index' | 'unreadable' | 'blocking'>,
  { list, id, texts }: TakeStored<List>,
): AffectedUnits {
  const { collection, schema } = storedLists[list]
  const found: UnreadableItem[] = []
  blocking.delete(id)
  const items = texts.flatMap((text) => {
    try {
      return readStored({ collection, schema, text, onUnreadable: (item) => found.push(item) }) ?? []
    } catch (error) {
      const [item] = found.slice(-1)
      if (!item) throw error
      blocking.set(id, item)
      return []
    }
  })
  const key = `${list} ${id}`
  if (found.length === 0) unreadable.delete(key)
  else unreadable.set(key, found)
  return applyItems(index, { list, id, items })
}

export function unionOf(all: Iterable<AffectedUnits>): AffectedUnits {
  const units = new Set<string>()
  for (const some of all) {
    if (some === 'all') return 'all'
    for (const unit of some) units.add(unit)
  }
  return units
}
