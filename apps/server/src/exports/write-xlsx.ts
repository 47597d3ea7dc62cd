import { cellOf } from './cell-of.ts'
import type { Sheet } from './export-items.ts'
import type { Page } from './read-pages.ts'
import { writeZip, type ZipEntry } from './write-zip.ts'

/**
 * A workbook (ECMA-376) with texts typed as texts, so that no formula in them is evaluated; a full sheet continues on
 * another.
 */
export function writeXlsx(sheet: Sheet) {
  return writeZip(partsOf(sheet))
}

const maxRows = 1_048_576
const maxCharacters = 32_767

async function* partsOf({ name, titles, pages }: Sheet): AsyncGenerator<ZipEntry> {
  yield { name: '[Content_Types].xml', content: [contentTypes] }
  yield { name: '_rels/.rels', content: [packageRelations] }
  yield { name: 'xl/styles.xml', content: [styles] }
  const source = pages[Symbol.asyncIterator]()
  const rest: Rest = { page: [], isRead: false }
  let sheets = 0
  try {
    do {
      sheets += 1
      yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheetXml({ titles, source, rest }) }
    } while (!rest.isRead)
  } finally {
    await source.return?.()
  }
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  yield { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelations(numbers)] }
  yield { name: 'xl/workbook.xml', content: [workbook(name, numbers)] }
}

/** The rows that are still to be written, carried from sheet to sheet. */
type Rest = { page: Page; isRead: boolean }
type Source = { titles: readonly string[]; source: AsyncIterator<Page>; rest: Rest }

async function* sheetXml({ titles, source, rest }: Source) {
  const places = titles.map((_, index) => letters(index))
  yield `${sheetHead}${rowXml({ values: titles, places, number: 1, style: headerStyle })}`
  let rows = 1
  while (rows < maxRows) {
    if (rest.page.length === 0) {
      const next = await source.next()
      rest.isRead = next.done === true
      if (next.done) break
      rest.page = next.value
    }
    const first = rows + 1
    const part = rest.page.slice(0, maxRows - rows)
    rest.page = rest.page.slice(part.length)
    yield part.map((values, index) => rowXml({ values, places, number: first + index, style: textStyle })).join('')
    rows += part.length
  }
  yield '</sheetData></worksheet>'
}

/** Indexes into the list of `cellXfs` below. */
const headerStyle = 1
const textStyle = 2

type Row = { values: readonly unknown[]; places: readonly string[]; number: number; style: number }

function rowXml({ values, places, number, style }: Row) {
  let cells = ''
  for (const [index, value] of values.entries()) cells += cellXml({ value, place: `${places[index]}${number}`, style })
  return `<row r="${number}">${cells}</row>`
}

function cellXml({ value, place, style }: { value: unknown; place: string; style: number }) {
  const cell = cellOf(value)
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  const text = cell.length > maxCharacters ? `${cell.slice(0, maxCharacters - 1).toWellFormed()}…` : cell
  const space = outerSpace.test(text) ? ' xml:space="preserve"' : ''
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`
}

/** Readers drop whitespace at either end unless `xml:space` preserves it. */
const outerSpace = /^\s|\s$/

/** The name of a column: A to Z, then AA and on. */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`
}

/**
 * Escapes markup, and writes characters that XML cannot carry as `_x000D_`; text that looks like such an escape is
 * escaped too.
 */
function escaped(text: string) {
  if (!mayHaveMarks.test(text)) return text
  return text.replace(
    marks,
    (mark) => entities[mark] ?? `_x${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}

/** A fast check: most texts need no escape. */
const mayHaveMarks = /[^ -%'-;=?-^`-~]/
const marks = /[&<>]|(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const sheetHead = `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15" defaultColWidth="22"/><sheetData>`

/** Every part that is not named is a sheet, because their number is only known at the end. */
const contentTypes = `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${kind}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`

const packageRelations = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const styles = `${xml}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function workbook(name: string, sheets: readonly number[]) {
  const entries = sheets.map(
    (n) =>
      `<sheet name="${escaped(name).replaceAll('"', '&quot;')}${n > 1 ? ` ${n}` : ''}" sheetId="${n}" r:id="rId${n}"/>`,
  )
  return `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${entries.join('')}</sheets></workbook>`
}

function workbookRelations(sheets: readonly number[]) {
  const entries = sheets.map(
    (n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const style = `<Relationship Id="styles" Type="${office}/styles" Target="styles.xml"/>`
  return `${xml}<Relationships xmlns="${packages}/relationships">${entries.join('')}${style}</Relationships>`
}
