import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import type { z } from 'zod'
import { problemText } from '../text/error-text.ts'

/** The changes between two states of a form, by field. */
export function changesOf(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(old.get(name), value)))
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Checks the fields of a form and returns the errors by field; undefined if there are none. */
export function checkFields(schema: z.ZodObject, fields: Record<string, unknown>): Record<string, string> {
  const checked = schema.safeParse(fields, { reportInput: true })
  const wrong: Record<string, string> = {}
  for (const issue of checked.error?.issues ?? [])
    wrong[String(issue.path[0] ?? '')] ??= problemText(fieldProblem(issue))
  return wrong
}

/** The field of a path in a server error: `windows.0.start` belongs to `windows`. */
export function fieldOfPath(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path
}
