/** The value in the middle. */
export function median(values: readonly number[]) {
  return quantile(values, 0.5)
}

/** The value below which this share of all lies. */
export function quantile(values: readonly number[], share: number) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
