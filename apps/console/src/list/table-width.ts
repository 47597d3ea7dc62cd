/** The minimum width of a column without its own. */
const leastPx = 150
const checkPx = 44

/** The width that a table needs for its columns to be readable; in less room it scrolls sideways. */
export function tableWidth(
  columns: readonly { width?: string }[],
  { hasSelection }: { hasSelection: boolean },
): number {
  const widths = columns.map(({ width }) => (width?.endsWith('px') ? Number.parseInt(width, 10) : leastPx))
  return widths.reduce((sum, width) => sum + width, hasSelection ? checkPx : 0)
}
