/** One line of the printed table. Values that were not measured on a side are left out. */
export type Row = {
  name: string
  product: string
  bare?: string
  ratio?: string
  sql?: string
  sqlRatio?: string
  target?: string
  isMet?: boolean
}

const heads = ['', 'product', 'bare Node', 'ratio', 'SQL alone', 'ratio', 'target', '']

export function printTable(rows: readonly Row[], print: (line: string) => void) {
  const lines = [heads, ...rows.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of lines) {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    print(padded.join('  ').trimEnd())
  }
}

function cellsOf({ name, product, bare = '', ratio = '', sql = '', sqlRatio = '', target = '', isMet }: Row) {
  return [name, product, bare, ratio, sql, sqlRatio, target, isMet === undefined ? '' : verdict(isMet)]
}

function verdict(isMet: boolean) {
  return isMet ? 'met' : 'missed'
}
