import { z } from 'zod'
import { isErrorCode } from '../errors.ts'
import { parameters } from './parameters.ts'

const errorCode = z.string().refine(isErrorCode)

/** Whoever or whatever has what is taken: by its name, if it has one, and where to find it. */
export const holder = z.object({ collection: z.string(), _id: z.uuid(), name: z.string().nullable() })
export type Holder = z.output<typeof holder>

/** What is wrong with one field: a code of `fieldCodes`, or the code of the error itself. */
const fieldError = z.object({ code: z.string(), parameters: parameters.default({}) })

/** The body of every answer that is not a success. `item` is the current state of what another user changed first. */
export const errorBody = z.object({
  error: z.object({
    code: errorCode,
    /** The error in an English sentence, made from `code`, `parameters` and `fieldErrors`. */
    message: z.string(),
    /** The values that the sentence names. */
    parameters: parameters.default({}),
    /** What is wrong with each field, in an English sentence. */
    fields: z.record(z.string(), z.string()).optional(),
    /** The same by code, for programs that word it themselves. */
    fieldErrors: z.record(z.string(), fieldError).optional(),
    /** Of what is taken, and only to those who may see its holder. */
    holder: holder.optional(),
    requestId: z.string(),
  }),
  item: z.unknown().optional(),
})
