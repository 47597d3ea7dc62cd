import type { ErrorCode } from '@portcullis/contract/errors'
import { errorBody, type Holder } from '@portcullis/contract/errors/error-body'
import type { Problem } from '@portcullis/contract/errors/problem'

/**
 * An error response of the server: its code and parameters, the error of each field, and the item of a conflict.
 * `message` and `fields` say the same in English.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'unreachable' | 'unreadable'
  readonly parameters: Problem['parameters']
  readonly fields: Record<string, string>
  readonly fieldErrors: Readonly<Record<string, Problem>>
  /** The item that has the taken value, if the user may see it. */
  readonly holder: Holder | undefined
  readonly requestId: string | null
  readonly item: unknown

  constructor(answer: {
    status: number
    code: ErrorCode | 'unreachable' | 'unreadable'
    message: string
    parameters?: Problem['parameters']
    fields?: Record<string, string> | undefined
    fieldErrors?: Readonly<Record<string, Problem>> | undefined
    holder?: Holder | undefined
    requestId?: string
    item?: unknown
    cause?: unknown
  }) {
    super(answer.message, { cause: answer.cause })
    this.status = answer.status
    this.code = answer.code
    this.parameters = answer.parameters ?? {}
    this.fields = answer.fields ?? {}
    this.fieldErrors = answer.fieldErrors ?? {}
    this.holder = answer.holder
    this.requestId = answer.requestId ?? null
    this.item = answer.item
  }
}

/** Whether another user changed the item first; `item` then holds its current state. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'conflict' || error.code === 'changed_since')
}

/** Whether the session has ended: 401, or the 307 of a proxy that sends to a sign-in page (specification §8). */
export function isSessionEnded(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || error.status === 307)
}

/** Whether the item does not exist or is outside this account. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404
}

/** Whether the server could not be reached at all. */
export function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'unreachable'
}

export async function apiErrorOf(response: Response) {
  // Browsers hide the target and the status of a redirect; the only one expected here leads to a sign-in page.
  const status = response.type === 'opaqueredirect' ? 307 : response.status
  const body = errorBody.safeParse(await response.json().catch(() => undefined))
  if (!body.success) {
    const message = `The server answered ${status} without a reason.`
    return new ApiError({ status, code: 'unreadable', message })
  }
  return new ApiError({ status, ...body.data.error, item: body.data.item })
}
