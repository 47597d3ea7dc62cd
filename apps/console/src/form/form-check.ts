import type { z } from 'zod'
import { text } from '../text/text.ts'

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
  const checked = schema.safeParse(fields, { error: issueText })
  const wrong: Record<string, string> = {}
  for (const { path, message } of checked.error?.issues ?? []) wrong[String(path[0] ?? '')] ??= message
  return wrong
}

/** The field that a path of the server's complaint lies in: `windows.0.start` lies in `windows`. */
export function fieldOfPath(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path
}

/** Words for what the schemas find wrong where they have none of their own. */
function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  const isEmpty = issue.input === undefined || issue.input === null || issue.input === ''
  if (isEmpty) return text('form.required')
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'array' || issue.origin === 'string') return text('form.required')
      return text('form.atLeast', { least: String(issue.minimum) })
    case 'too_big':
      if (issue.origin === 'string') return text('form.tooLong', { most: String(issue.maximum) })
      return text('form.atMost', { most: String(issue.maximum) })
    case 'invalid_format':
      return issue.format === 'email' ? text('form.email') : text('form.invalid')
    case 'invalid_type':
      return issue.expected === 'int' ? text('form.wholeNumber') : text('form.invalid')
    default:
      return text('form.invalid')
  }
}
