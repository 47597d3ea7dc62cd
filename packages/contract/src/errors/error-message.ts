import { englishProblems } from './english.ts'
import type { Problem } from './problem.ts'
import { wordProblem } from './word-problem.ts'

/** The sentence of one problem in English, for programs. */
export function problemMessage(one: Problem): string {
  return wordProblem(englishProblems, one)
}

/** The message of an error in English: its own sentence, one for each field with a code of its own, and how many are not named. */
export function errorMessage(
  error: Problem,
  fieldErrors: Readonly<Record<string, Problem>> = {},
  furtherFields = 0,
): string {
  const details = Object.entries(fieldErrors)
    .filter(([, { code }]) => code !== error.code)
    .map(([field, one]) => `${field}: ${problemMessage(one)}`)
  const further = furtherFields > 0 ? [`Further invalid fields: ${furtherFields}.`] : []
  return [problemMessage(error), ...details, ...further].join(' ')
}
