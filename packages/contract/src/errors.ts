import { z } from 'zod'

/** Every error code of the product with the status it travels under; the console translates the codes. */
export const errorStatus = {
  bad_request: 400,
  header_missing: 400,
  header_invalid: 400,
  unauthenticated: 401,
  session_ended: 401,
  forbidden: 403,
  wrong_credentials: 403,
  wrong_code: 403,
  code_owed: 403,
  unverified: 403,
  suspended: 403,
  fresh_sign_in_needed: 403,
  origin_refused: 403,
  account_refused: 403,
  assumption_ended: 403,
  not_found: 404,
  conflict: 409,
  taken: 409,
  too_large: 413,
  refused: 422,
  still_in_use: 422,
  unknown_reference: 422,
  link_ended: 422,
  weak_password: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

const codes = z.string().refine((code): code is ErrorCode => Object.hasOwn(errorStatus, code))

/** Whoever or whatever has what is taken: by its name, if it has one, and where to find it. */
export const holder = z.object({ collection: z.string(), _id: z.uuid(), name: z.string().nullable() })
export type Holder = z.output<typeof holder>

/** The body of every answer that is not a success. `item` is the current state of what somebody else changed first. */
export const errorBody = z.object({
  error: z.object({
    code: codes,
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    /** Of what is taken, and only to those who may see its holder. */
    holder: holder.optional(),
    requestId: z.string(),
  }),
  item: z.unknown().optional(),
})
