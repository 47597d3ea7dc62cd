import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import type { z } from 'zod'
import { problemText } from '../text/error-text.ts'

/** What was changed between two states of a form, by field. */
export function changesOf(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(old.get(name), value)))
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Checks the fields of a form; answers what is wrong by field, nothing where all is well. */
export function checkFields(schema: z.ZodObject, fields: Record<string, unknown>): Record<string, string> {
  const checked = schema.safeParse(fields, { reportInput: true })
  const wrong: Record<string, string> = {}
  for (const issue of checked.error?.issues ?? [])
    wrong[String(issue.path[0] ?? '')] ??= problemText(fieldProblem(issue))
  return wrong
}

/** The field that a path of the server's complaint lies in: `windows.0.start` lies in `windows`. */
export function fieldOfPath(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path
}
