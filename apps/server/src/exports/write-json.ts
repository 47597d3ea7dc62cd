import type { Sheet } from './export-items.ts'

/** A list of objects, a line each; values keep their kinds. */
export async function* writeJson({ fields, pages }: Sheet) {
  let lead = '[\n'
  for await (const page of pages) {
    yield lead + page.map((values) => objectOf(fields, values)).join(',\n')
    lead = ',\n'
  }
  yield lead === '[\n' ? '[]\n' : '\n]\n'
}

function objectOf(fields: readonly string[], values: readonly unknown[]) {
  return JSON.stringify(Object.fromEntries(fields.map((field, index) => [field, values[index]])))
}
