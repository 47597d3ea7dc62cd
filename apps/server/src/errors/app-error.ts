import { type ErrorCode, errorStatus } from '@portcullis/contract/errors'
import type { Holder } from '@portcullis/contract/errors/error-body'
import { errorMessage } from '@portcullis/contract/errors/error-message'
import type { ParametersOf } from '@portcullis/contract/errors/parameters'
import { type Problem, problem } from '@portcullis/contract/errors/problem'

type Details = {
  /** The problem of each field. */
  fields?: Readonly<Record<string, Problem>>
  /** How many invalid fields are not named. */
  furtherFields?: number
  /** The fields that the error itself is about. */
  at?: readonly string[]
  holder?: Holder | undefined
  item?: unknown
  cause?: unknown
  retryAfterSeconds?: number
}

type ArgumentsOf<C> =
  Record<never, never> extends ParametersOf<C>
    ? [code: C, parameters?: ParametersOf<C>, details?: Details]
    : [code: C, parameters: ParametersOf<C>, details?: Details]

/** Each code with its own parameters. */
type Arguments = { [C in ErrorCode]: ArgumentsOf<C> }[ErrorCode]

/** An error that is returned to clients: a code of the contract, and the parameters of its message. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly parameters: Problem['parameters']
  readonly fieldErrors: Readonly<Record<string, Problem>> | undefined
  readonly furtherFields: number
  readonly holder: Holder | undefined
  readonly item: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(
    ...[code, given, { fields, furtherFields = 0, at = [], holder, item, cause, retryAfterSeconds } = {}]: Arguments
  ) {
    const own = problem<ErrorCode>(code, given)
    const fieldErrors = { ...fields, ...Object.fromEntries(at.map((field) => [field, own])) }
    super(errorMessage(own, fieldErrors, furtherFields), { cause })
    this.code = code
    this.parameters = own.parameters
    this.fieldErrors = Object.keys(fieldErrors).length > 0 ? fieldErrors : undefined
    this.furtherFields = furtherFields
    this.holder = holder
    this.item = item
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status() {
    return errorStatus[this.code]
  }
}
