export function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new Error(`There is no item ${index}.`)
  return value
}
