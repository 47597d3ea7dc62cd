import { ApiError } from '@portcullis/client/api-error'
import type { Problem } from '@portcullis/contract/errors/problem'
import { wordProblem } from '@portcullis/contract/errors/word-problem'
import { problemWords } from './problem-words.ts'
import { text } from './text.ts'

/** What to show a user of an error, worded here from its code and parameters. */
export function errorText(error: ApiError): string {
  const { code, parameters } = error
  return code === 'unreachable' || code === 'unreadable' ? text(`error.${code}`) : problemText({ code, parameters })
}

/** What is wrong with a field, or with a request as a whole. */
export function problemText(one: Problem): string {
  return wordProblem(problemWords, one)
}

/** What the server finds wrong with a field; nothing where it finds nothing. */
export function fieldErrorText(error: unknown, field: string): string | undefined {
  const found = error instanceof ApiError ? error.fieldErrors[field] : undefined
  return found && problemText(found)
}
