import { cellOf } from './cell-of.ts'
import type { Sheet } from './export-items.ts'

/** RFC 4180, behind a byte order mark, without which spreadsheets take UTF-8 for something else. */
export async function* writeCsv({ titles, pages }: Sheet) {
  yield `\uFEFF${linesOf([titles])}`
  for await (const page of pages) yield linesOf(page)
}

/** One text that grows: quicker than to make one of each line. */
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

/** What a spreadsheet would work out instead of show; some take the wide forms of East Asian scripts for the same signs. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const special = /[",\r\n]/
const mayNeedCare = /^[=+\-@\t\r\n＝＋－＠]|[",\r\n]/
