import { type ErrorCode, errorStatus } from '@portcullis/contract/errors'

type Details = { fields?: Record<string, string>; item?: unknown; cause?: unknown; retryAfterSeconds?: number }

/** What the server refuses, with a code of the contract and a sentence that says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly item: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, { fields, item, cause, retryAfterSeconds }: Details = {}) {
    super(message, { cause })
    this.code = code
    this.fields = fields
    this.item = item
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status() {
    return errorStatus[this.code]
  }
}
