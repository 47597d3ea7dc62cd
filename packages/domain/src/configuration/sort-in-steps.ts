type Entry<T> = readonly [key: string, value: T]

const atOnce = 500

/** Sorts entries by key in short steps. */
export function* sortInSteps<T>(entries: readonly Entry<T>[]): Generator<undefined, readonly Entry<T>[]> {
  if (entries.length <= atOnce) {
    yield
    return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  }
  const middle = entries.length >> 1
  const one = yield* sortInSteps(entries.slice(0, middle))
  const other = yield* sortInSteps(entries.slice(middle))
  const merged: Entry<T>[] = []
  let [at, atOther] = [0, 0]
  while (merged.length < entries.length) {
    if (merged.length % atOnce === 0) yield
    const [first, second] = [one[at], other[atOther]]
    if (first !== undefined && (second === undefined || first[0] < second[0])) {
      merged.push(first)
      at++
    } else if (second !== undefined) {
      merged.push(second)
      atOther++
    }
  }
  return merged
}
