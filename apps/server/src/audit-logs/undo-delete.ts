import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createItem } from '../collections/create.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { restoreMemberships } from './restore-memberships.ts'
import { namingWhatIsGone } from './naming-what-is-gone.ts'
import { currentItem, noLongerValid, shownItem, type Undoing } from './undoing.ts'

/** Makes the item again as it was, under its old id, and puts it back into the groups that it was a member of. */
export async function undoDelete(tx: Transaction, undoing: Undoing) {
  const { collection, half, access, entry } = undoing
  const before = entry.before ?? {}
  if (await currentItem(tx, undoing)) throw isThere(await shownItem(tx, undoing))
  const again = { id: entry.item, version: z.int().parse(before['version']) + 1, undoes: entry.id }
  const item = restorable(undoing, before)
  const made = await namingWhatIsGone(tx, { collection, item }, () =>
    createItem(tx, { collection, half, access, item, again }),
  )
  await restoreMemberships(tx, undoing)
  return {
    action: 'create' as const,
    entry: made.entry,
    item: await shownItem(tx, undoing),
    notRestored: lost(undoing, { before, after: made.item }),
  }
}

/** What the item is made from: what people may set, checked as when it was new, and what the server had set. */
function restorable({ collection, half }: Undoing, before: Item): Item {
  const { fields: groups, createSchema } = collection
  const { required, optional, fixed, server } = groups
  const given = pick(before, Object.keys({ ...required, ...optional, ...fixed }))
  const result = createSchema.safeParse(given, { reportInput: true })
  if (!result.success) throw noLongerValid(result.error)
  const apart = half.lostOnDelete?.(before) ?? []
  return {
    ...result.data,
    ...pick(
      before,
      Object.keys(server).filter((field) => !apart.includes(field)),
    ),
  }
}

/** Fields that did not come back. */
function lost({ collection, half }: Undoing, { before, after }: { before: Item; after: Item }) {
  const { required, optional, fixed, server } = collection.fields
  const fields = Object.keys({ ...required, ...optional, ...fixed, ...server })
  const other = fields.filter((field) => field in before && !isDeepStrictEqual(before[field], after[field]))
  return [...new Set([...other, ...(half.lostOnDelete?.(before) ?? [])])]
}

function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.filter((field) => field in item).map((field) => [field, item[field]]))
}

function isThere(item: Item) {
  return new AppError('already_restored', {}, { item })
}
