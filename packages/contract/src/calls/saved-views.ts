import { z } from 'zod'
import { name } from '../names.ts'

/** A list of the console: the collection that it shows, and a second word where it is one of several: `doors.site`. */
export const listName = z
  .string()
  .regex(/^[a-zA-Z]{1,40}(\.[a-zA-Z]{1,40})?$/, 'A list is named by its collection, such as users or doors.site.')

const parameter = z.string().regex(/^[a-zA-Z]\w{0,60}$/, 'A parameter is one word.')

/** What stands in the address of a list: filters, search, order, columns. */
export const viewQuery = z
  .record(parameter, z.string().max(4_000))
  .refine((query) => Object.keys(query).length <= 40, 'At most 40 parameters.')
export type ViewQuery = z.output<typeof viewQuery>

/** Keys of the columns that are shown, in their order; null goes back to those of the list itself. */
const columns = z.array(parameter).min(1).max(60).nullable()

/** A list as somebody keeps it under a name; for the whole account where it is shared. */
export const savedView = z.object({
  _id: z.uuid(),
  list: listName,
  name: z.string(),
  query: viewQuery,
  shared: z.boolean(),
  /** Whether it is the reader's own, to change. */
  own: z.boolean(),
  /** Null where the owner is out of the reader's sight. */
  ownerName: z.string().nullable(),
  version: z.int(),
})
export type SavedView = z.output<typeof savedView>

/**
 * `GET /api/savedViews?list=`: the reader's own views of a list and those shared in the account, by name; and the columns in
 * which the reader last left the list, anywhere.
 */
export const savedViews = {
  query: z.strictObject({ list: listName }),
  output: z.object({ views: z.array(savedView), columns }),
}

/** `POST /api/savedViews`: sharing takes the right to manage what the list shows. */
export const createSavedView = z.strictObject({
  list: listName,
  name: name(),
  query: viewQuery,
  shared: z.boolean().default(false),
})

/** `PATCH /api/savedViews/{id}`: by its owner. */
export const patchSavedView = z
  .strictObject({ name: name(), query: viewQuery, shared: z.boolean(), version: z.int().min(1) })
  .partial()

/** `PUT /api/savedViews/columns`: remembered for the person, in every account. */
export const rememberColumns = z.strictObject({ list: listName, columns })
