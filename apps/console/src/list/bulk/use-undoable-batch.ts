import { useState } from 'react'
import { client } from '../../session/client.ts'
import { text } from '../../text/text.ts'
import type { BulkAction } from './bulk-action.ts'
import { idOf } from '../../item/item-parts.ts'
import { useBatch } from './use-batch.ts'

type Asked<T> = { action: BulkAction<T>; items: readonly T[]; value: string | null }

/** Does something to many items, and takes back what was done of it: one by one, for each is a change of its own. */
export function useUndoableBatch<T>({ action, items, value }: Asked<T>) {
  const [entries, setEntries] = useState<ReadonlyMap<string, string>>(new Map())

  const batch = useBatch({
    items,
    async run(item: T) {
      const entry = await action.run(item, value)
      if (entry !== undefined) setEntries((known) => new Map(known).set(idOf(item), entry))
      return undefined
    },
  })
  const undoing = useBatch({
    items: items.filter((item) => entries.has(idOf(item))),
    async run(item: T) {
      const { notRestored } = await client.history.undo(entries.get(idOf(item)) ?? '')
      return notRestored.length > 0 ? text('toast.notRestored', { fields: notRestored.join(', ') }) : undefined
    },
  })
  return { batch, undoing }
}
