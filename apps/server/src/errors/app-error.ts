import { type ErrorCode, errorStatus, type Holder } from '@portcullis/contract/errors'

type Details = {
  fields?: Record<string, string>
  holder?: Holder | undefined
  item?: unknown
  cause?: unknown
  retryAfterSeconds?: number
}

/** What the server refuses, with a code of the contract and a sentence that says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly holder: Holder | undefined
  readonly item: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, { fields, holder, item, cause, retryAfterSeconds }: Details = {}) {
    super(message, { cause })
    this.code = code
    this.fields = fields
    this.holder = holder
    this.item = item
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status() {
    return errorStatus[this.code]
  }
}
