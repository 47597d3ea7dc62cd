import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** A list of the console: its collection, and a second word if there are several such lists: `doors.site`. */
export const listName = z.string().regex(/^[a-zA-Z]{1,40}(\.[a-zA-Z]{1,40})?$/, fieldCode('invalid_list_name'))

const parameter = z.string().regex(/^[a-zA-Z]\w{0,60}$/, fieldCode('not_one_word'))

/** The query parameters of a list: filters, search, order, columns. */
export const viewQuery = z
  .record(parameter, z.string().max(4_000))
  .refine((query) => Object.keys(query).length <= 40, { error: fieldCode('too_many_entries'), params: { maximum: 40 } })
export type ViewQuery = z.output<typeof viewQuery>

/** Keys of the visible columns in their order; null is the default of the list. */
const columns = z.array(parameter).min(1).max(60).nullable()

/** A list saved under a name by one user, for the whole account if it is shared. */
export const savedView = z
  .object({
    _id: z.uuid(),
    list: listName,
    name: z.string(),
    query: viewQuery,
    shared: z.boolean(),
    /** Whether it belongs to the current user, who can change it. */
    own: z.boolean(),
    /** Null if the current user cannot see the owner. */
    ownerName: z.string().nullable(),
    version: z.int(),
  })
  .register(schemaNames, { id: 'SavedView' })
export type SavedView = z.output<typeof savedView>

const shared = { tag: 'savedViews', access: 'account' } as const
const params = { id: 'The _id of the view.' } as const

export const savedViews = defineCall({
  ...shared,
  id: 'list-saved-views',
  method: 'GET',
  path: '/api/savedViews',
  summary: 'List the saved views of a list, and the columns that the user chose last',
  description: 'Needs the right to view the items of the list.',
  query: z.strictObject({ list: listName.meta({ examples: ['users'] }) }),
  output: z.object({ views: z.array(savedView), columns }).register(schemaNames, { id: 'SavedViews' }),
  returns: "The user's own views and the shared ones by name; columns are null if the user has chosen none.",
})

export const createSavedView = defineCall({
  ...shared,
  id: 'create-saved-view',
  method: 'POST',
  path: '/api/savedViews',
  summary: 'Save a list as a view',
  description: 'Sharing it needs the right to manage the items of the list.',
  input: z
    .strictObject({
      list: listName,
      name: name(),
      query: viewQuery,
      shared: z.boolean().default(false),
    })
    .register(schemaNames, { id: 'SavedViewCreate' }),
  output: savedView,
  status: 201,
  returns: 'The view.',
  errors: ['taken', 'too_many_views'],
})

export const patchSavedView = defineCall({
  ...shared,
  id: 'patch-saved-view',
  method: 'PATCH',
  path: '/api/savedViews/{id}',
  summary: "Change one of the user's own views",
  description:
    'The name, the query and whether the view is shared. The body may have all other fields as they were read.',
  params,
  /** A view as it was read, with changes. */
  input: z
    .strictObject({ ...savedView.shape, name: name(), version: z.int().min(1) })
    .partial()
    .register(schemaNames, { id: 'SavedViewPatch' }),
  output: savedView,
  returns: 'The view.',
  errors: ['not_found', 'conflict', 'taken'],
})

export const deleteSavedView = defineCall({
  ...shared,
  id: 'delete-saved-view',
  method: 'DELETE',
  path: '/api/savedViews/{id}',
  summary: 'Delete a view',
  description: "Deleting another user's shared view needs the right to manage the items of the list.",
  params,
  returns: 'The view is deleted.',
  errors: ['not_found'],
})

export const rememberColumns = defineCall({
  ...shared,
  id: 'remember-columns',
  method: 'PUT',
  path: '/api/savedViews/columns',
  summary: 'Remember the columns of a list for the current user, in every account',
  input: z.strictObject({ list: listName, columns }).register(schemaNames, { id: 'RememberColumns' }),
  returns: 'The columns are stored.',
})
