import type { Sheet } from './export-items.ts'

/** An array of objects, one per line; values keep their types. */
export async function* writeJson({ fields, pages }: Sheet) {
  let lead = '[\n'
  for await (const page of pages) {
    yield lead + page.map((values) => objectOf(fields, values)).join(',\n')
    lead = ',\n'
  }
  yield lead === '[\n' ? '[]\n' : '\n]\n'
}

/** Filled field by field, which is faster than creating it from entries. */
function objectOf(fields: readonly string[], values: readonly unknown[]) {
  const item: Record<string, unknown> = {}
  for (const [index, field] of fields.entries()) item[field] = values[index]
  return JSON.stringify(item)
}
