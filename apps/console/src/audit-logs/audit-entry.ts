import { commandStatuses } from '@portcullis/contract/calls/units'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type auditLogs, plainActions } from '@portcullis/contract/collections/audit-logs'
import { type CollectionName, collections } from '@portcullis/contract/collections/registry'
import { restorableFields } from '@portcullis/contract/restorable-fields'
import { z } from 'zod'
import { part } from '../item/item-parts.ts'
import { text } from '../text/text.ts'

export type Entry = EntityOf<typeof auditLogs>

/** The collection of an entry, if this console knows it. */
export function collectionOf({ collection }: Pick<Entry, 'collection'>): Collection | undefined {
  return isCollection(collection) ? collections[collection] : undefined
}

/** `Door`, `Rule`: one item of the collection as a word. */
export function kindOf({ collection }: Pick<Entry, 'collection'>): string {
  return isCollection(collection) ? text(`${collection}.one`) : collection
}

/** Whether the entry records something that changed nothing: an export, or acting inside the account. */
export function isPlain(action: Entry['action']): action is (typeof plainActions)[number] {
  return plainActions.some((plain) => plain === action)
}

/** Whether the entry records that a hyper user began or ended acting inside the account. */
export function isActing({ action }: Pick<Entry, 'action'>) {
  return action === 'assume' || action === 'leave'
}

const unlock = z.object({
  outcome: z.enum(commandStatuses).exclude(['sent']),
  /** Why the door was not unlocked, as a command says it. */
  detail: z.string().nullable(),
  requestedAt: z.string(),
  sentAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type Unlock = z.output<typeof unlock>

/** The request to unlock a door once, or its outcome; undefined for other entries, and where the reader may not see it. */
export function unlockOf({ action, after }: Pick<Entry, 'action' | 'after'>): Unlock | undefined {
  return action === 'unlock' ? unlock.safeParse(after).data : undefined
}

/** Whether the reader may not see the content of the entry: every other entry has a before or an after. */
export function isHidden({ before, after }: Pick<Entry, 'before' | 'after'>) {
  return before === null && after === null
}

/** Whether an undo can restore anything: not where a call changed only what no form shows, such as an enrolment code. */
export function isUndoable(entry: Entry, of: Collection) {
  const { action, after } = entry
  if (of.readOnly || isPlain(action)) return false
  return action !== 'patch' || after === null || Object.keys(after).some((field) => field in restorableFields(of).shape)
}

/** The item's name in this change; undefined where the change did not touch it. */
export function nameIn({ before, after }: Pick<Entry, 'before' | 'after'>): string | undefined {
  for (const document of [after, before]) {
    for (const field of ['name', 'number']) {
      const value = part(document, field)
      if (typeof value === 'string') return value
    }
  }
  return undefined
}

/** The changed fields, in the order of the definition; derived fields are left out. */
export function fieldsOf(entry: Entry): string[] {
  const touched = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])]
  const fieldOrder = Object.keys(collectionOf(entry)?.entitySchema.shape ?? {})
  return touched
    .filter(
      (field) => !ofItself.has(field) && !ofRequest.has(`${entry.collection}.${field}`) && !isNothing(entry, field),
    )
    .toSorted((a, b) => placeIn(fieldOrder, a) - placeIn(fieldOrder, b))
}

const ofItself = new Set(['_id', 'account', 'version', 'createdAt', 'updatedAt'])
/** The same for every request, or ids whose names are other fields of it. */
const ofRequest = new Set(['tasks.type', 'tasks.data', 'tasks.user', 'tasks.door', 'tasks.decidedBy'])

/** A new item has many empty fields. */
function isNothing({ action, before, after }: Entry, field: string) {
  if (action === 'patch') return false
  const value = part(before ?? after, field)
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function placeIn(fieldOrder: readonly string[], field: string) {
  const place = fieldOrder.indexOf(field)
  return place < 0 ? fieldOrder.length : place
}

export function isCollection(name: string): name is CollectionName {
  return Object.hasOwn(collections, name)
}
