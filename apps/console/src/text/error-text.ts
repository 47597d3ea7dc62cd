import { ApiError } from '@portcullis/client/api-error'
import type { Problem } from '@portcullis/contract/errors/problem'
import { type ProblemWords, wordProblem } from '@portcullis/contract/errors/word-problem'
import { shown } from './catalogue.ts'
import { text } from './text.ts'
import { translation } from './translation.ts'
import { englishProblems } from '@portcullis/contract/errors/english'

/**
 * The console's wording of errors and of invalid fields: the API's wording, except where users need other words.
 * Every code has a sentence here; a translation has them once more.
 */
const english = {
  ...englishProblems,
  sentences: {
    ...englishProblems.sentences,
    bad_request: 'The server did not understand the request. Reload the page and try again.',
    header_missing: 'The server did not understand the request. Reload the page and try again.',
    header_invalid: 'The server did not understand the request. Reload the page and try again.',
    forbidden: 'You don’t have permission to do this in this account.',
    wrong_code: 'Invalid OTP provided.',
    unverified: 'Please confirm your email address first, using the link that we sent you.',
    fresh_sign_in_needed: 'You did not confirm that it is you. Try again, and enter your password.',
    origin_refused:
      'The server does not accept requests from this URL. Ask your administrator to check its public URL.',
    account_refused: 'You don’t have access to this account.',
    assumption_ended: 'You no longer act inside this account. Start again and give a reason.',
    not_found: 'This no longer exists, or is outside this account.',
    not_found_in: 'This no longer exists, or is outside this account.',
    conflict: 'Another user changed this in the meantime.',
    taken: 'This is already taken.',
    taken_by: 'This is already taken by {{holder}}.',
    too_large: 'This is too large.',
    unknown_reference: 'A selected item no longer exists.',
    not_in_sight: 'A selected item does not exist or you cannot see it.',
    link_ended: 'This link has been used or has expired. Please request a new one.',
    not_undoable: 'This change cannot be undone.',
    too_many: 'Too many attempts. Wait a moment, then try again.',
    internal: 'The server failed. If it happens again, contact your administrator.',
    invalid: 'Please check this value.',
    wrong_type: 'Please check this value.',
    not_one_of: 'Please check this value.',
    invalid_id: 'Please check this value.',
    invalid_date: 'Please check this value.',
    invalid_moment: 'Please check this value.',
    not_whole_number: 'Enter a whole number.',
  },
} as const satisfies ProblemWords

/** The sentences of errors in the language of this page. */
export const problemWords: ProblemWords = translation()?.problems ?? english

/** What to show a user of an error, worded here from its code and parameters. */
export function errorText(error: ApiError): string {
  const { code, parameters } = error
  return code === 'unreachable' || code === 'unreadable' ? text(`error.${code}`) : problemText({ code, parameters })
}

/** The problem of a field, or of a request as a whole. */
export function problemText(one: Problem): string {
  return shown(wordProblem(problemWords, one))
}

/** The server's problem with a field; undefined if there is none. */
export function fieldErrorText(error: unknown, field: string): string | undefined {
  const found = error instanceof ApiError ? error.fieldErrors[field] : undefined
  return found && problemText(found)
}
