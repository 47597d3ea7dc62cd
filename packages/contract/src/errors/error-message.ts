import { englishProblems } from './english.ts'
import type { Problem } from './problem.ts'
import { wordProblem } from './word-problem.ts'

/** The sentence of one problem in English, for programs. */
export function problemMessage(one: Problem): string {
  return wordProblem(englishProblems, one)
}

/** The message of an error in English: its own sentence, then what is wrong with each field that has a code of its own. */
export function errorMessage(error: Problem, fieldErrors: Readonly<Record<string, Problem>> = {}): string {
  const details = Object.entries(fieldErrors)
    .filter(([, { code }]) => code !== error.code)
    .map(([field, one]) => `${field}: ${problemMessage(one)}`)
  return [problemMessage(error), ...details].join(' ')
}
