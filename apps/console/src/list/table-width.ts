/** What a column without a width of its own takes at least. */
const leastPx = 150
const checkPx = 44

/** How wide a table has to be for its columns to be read; narrower, it is scrolled sideways within itself. */
export function tableWidth(
  columns: readonly { width?: string }[],
  { hasSelection }: { hasSelection: boolean },
): number {
  const widths = columns.map(({ width }) => (width?.endsWith('px') ? Number.parseInt(width, 10) : leastPx))
  return widths.reduce((sum, width) => sum + width, hasSelection ? checkPx : 0)
}
