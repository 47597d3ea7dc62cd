import { cellOf } from './cell-of.ts'
import type { Sheet } from './export-items.ts'

/** RFC 4180, behind a byte order mark, without which spreadsheets take UTF-8 for something else. */
export async function* writeCsv({ titles, pages }: Sheet) {
  yield `\uFEFF${lineOf(titles)}`
  for await (const page of pages) yield page.map(lineOf).join('')
}

function lineOf(values: readonly unknown[]) {
  return `${values.map(fieldOf).join(',')}\r\n`
}

function fieldOf(value: unknown) {
  const cell = cellOf(value)
  if (cell === null) return ''
  if (typeof cell !== 'string') return `${cell}`
  if (!mayNeedCare.test(cell)) return cell
  const harmless = formula.test(cell) ? `'${cell}` : cell
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** What a spreadsheet would work out instead of show. */
const formula = /^[=+\-@\t\r]/
const special = /[",\r\n]/
const mayNeedCare = /^[=+\-@\t\r]|[",\r\n]/
