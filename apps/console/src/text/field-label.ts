import { findText } from './text.ts'

/**
 * The label of a field wherever it appears, in columns, forms, conflicts and the audit log: the text at
 * `{collection}.{field}`, or the words of its name where there is none.
 */
export function fieldLabel(collection: string, field: string): string {
  const label = findText(`${collection}.${field}`)
  if (label !== undefined) return label
  const words = field.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The hint below a field of a form: the text at `{collection}.{field}Hint`, if there is one. */
export function fieldHint(collection: string, field: string): string | undefined {
  return findText(`${collection}.${field}Hint`)
}
