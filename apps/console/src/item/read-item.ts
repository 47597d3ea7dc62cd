import type { Collection } from '@portcullis/contract/collection'
import { currentAccountRef } from '../session/account-ref.ts'
import { client } from '../session/client.ts'
import { batchById } from './batch-by-id.ts'
import { idOf } from './item-parts.ts'

const maxIds = 100

const batches = new Map<string, (id: string) => Promise<unknown>>()

/**
 * An item by its `_id`, for parts of the page that show something of it; undefined if it is deleted or out of scope. All
 * items of a collection requested at once, anywhere on the page, are one request.
 */
export function readItem(of: Collection, id: string): Promise<unknown> {
  const key = `${currentAccountRef()} ${of.name}`
  const ask = batches.get(key) ?? batchById((ids) => loadItems(of, ids), { maxIds })
  batches.set(key, ask)
  return ask(id)
}

async function loadItems(of: Collection, ids: string[]): Promise<ReadonlyMap<string, unknown>> {
  const { items } = await client.of(of).list({ filter: { _id: { in: ids } }, size: maxIds }, { allAccounts: 'yes' })
  return new Map(items.map((item) => [idOf(item), item]))
}
