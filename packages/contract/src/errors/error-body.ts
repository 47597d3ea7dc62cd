import { z } from 'zod'
import { isErrorCode } from '../errors.ts'
import { parameters } from './parameters.ts'

const errorCode = z.string().refine(isErrorCode)

/** The item that already has a taken value: its collection, its id, and its name if it has one. */
export const holder = z.object({ collection: z.string(), _id: z.uuid(), name: z.string().nullable() })
export type Holder = z.output<typeof holder>

/** The error of one field: a code of `fieldCodes`, or the code of the error itself. */
const fieldError = z.object({ code: z.string(), parameters: parameters.default({}) })

/** The body of every error response. `item` is the current state of an item that another user changed first. */
export const errorBody = z.object({
  error: z.object({
    code: errorCode,
    /** The error as an English sentence, made from `code`, `parameters` and `fieldErrors`. */
    message: z.string(),
    /** The values in the sentence. */
    parameters: parameters.default({}),
    /** The error of each field, as an English sentence. */
    fields: z.record(z.string(), z.string()).optional(),
    /** The same as codes, for programs with their own texts. */
    fieldErrors: z.record(z.string(), fieldError).optional(),
    /** How many further fields are invalid: at most 20 are named. Of a list of more than 1,000, its beginning counts. */
    furtherFields: z.int().positive().optional(),
    /** The item that has the taken value, only for users who may see it. */
    holder: holder.optional(),
    requestId: z.string(),
  }),
  item: z.unknown().optional(),
})
