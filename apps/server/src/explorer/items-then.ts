import type { PolicyItems, PolicyList } from '@portcullis/domain/decision/update-index'
import type { Transaction } from '../database/database.ts'
import { itemsAsOf } from '../history/items-as-of.ts'
import { readStored, storedLists } from '../policy/stored-policy.ts'

/** Which items of a list: of these accounts, and those with these ids or all. */
type Which = { accounts: readonly number[]; ids?: readonly string[] }
export type ReadThen = <List extends PolicyList>(list: List, which: Which) => Promise<PolicyItems[List][]>

/** Reads items of the policy as they were at a moment; as in the policy, one that cannot be read gives no access. */
export function readerThen(tx: Transaction, at: string): ReadThen {
  return async (list, { accounts, ids }) => {
    if (ids?.length === 0) return []
    const { collection, schema } = storedLists[list]
    const fields = Object.keys(schema.shape).filter((field) => field !== 'number')
    const items = await itemsAsOf(tx, { collection, accounts, at, fields, ...(ids ? { only: ids } : {}) })
    return [...items.values()].flatMap((item) => {
      // No decision about a named credential depends on its number.
      const text = JSON.stringify(list === 'credentials' ? { ...item, number: '' } : item)
      return readStored({ collection, schema, text, onUnreadable: () => {} }) ?? []
    })
  }
}
