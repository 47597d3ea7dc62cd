import { cellOf } from './cell-of.ts'
import type { Sheet } from './export-items.ts'

/** RFC 4180 after a byte order mark, without which spreadsheets misread UTF-8. */
export async function* writeCsv({ titles, pages }: Sheet) {
  yield `\uFEFF${linesOf([titles])}`
  for await (const page of pages) yield linesOf(page)
}

/** Appends to one text, which is faster than creating a text per line. */
function linesOf(rows: readonly (readonly unknown[])[]) {
  let lines = ''
  for (const values of rows) {
    let separator = ''
    for (const value of values) {
      lines += separator
      lines += fieldOf(value)
      separator = ','
    }
    lines += '\r\n'
  }
  return lines
}

function fieldOf(value: unknown) {
  if (typeof value === 'string' && !mayNeedCare.test(value)) return value
  const cell = cellOf(value)
  if (cell === null) return ''
  if (typeof cell !== 'string') return `${cell}`
  const harmless = formula.test(cell) ? `'${cell}` : cell
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The start of a formula, which a spreadsheet would evaluate; some also accept the full-width forms of East Asian
 * scripts.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const special = /[",\r\n]/
const mayNeedCare = /^[=+\-@\t\r\n＝＋－＠]|[",\r\n]/
