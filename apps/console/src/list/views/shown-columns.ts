type Shape = { key: string; phone?: string; isExtra?: boolean }

/** The columns of a list in the requested order, by default its own. The column that names a row is always included. */
export function shownColumns<C extends Shape>(
  columns: readonly C[],
  keys: readonly string[] | undefined,
): readonly C[] {
  if (keys === undefined) return columns.filter(({ isExtra }) => !isExtra)
  const chosen = keys.flatMap((key) => columns.filter((column) => column.key === key))
  const naming = namingColumn(columns)
  return naming === undefined || chosen.includes(naming) ? chosen : [naming, ...chosen]
}

/** The column that names a row, and opens it. */
export function namingColumn<C extends Shape>(columns: readonly C[]): C | undefined {
  return columns.find(({ phone }) => phone === 'title') ?? columns[0]
}

/** The same keys with one of them moved. */
export function moved(keys: readonly string[], { key, to }: { key: string; to: number }): string[] {
  const rest = keys.filter((each) => each !== key)
  const at = Math.max(0, Math.min(to, rest.length))
  return [...rest.slice(0, at), key, ...rest.slice(at)]
}

/** Whether these are the default columns of the list, in its order. */
export function isInitial(columns: readonly Shape[], keys: readonly string[]): boolean {
  const initial = shownColumns(columns, undefined)
  return initial.length === keys.length && initial.every(({ key }, index) => key === keys[index])
}
