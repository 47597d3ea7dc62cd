const atOnce = 500

/** Sorts items in short steps. */
export function* sortInSteps<T extends {}>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Generator<undefined, readonly T[]> {
  if (items.length <= atOnce) {
    yield
    return items.toSorted(compare)
  }
  const middle = items.length >> 1
  const one = yield* sortInSteps(items.slice(0, middle), compare)
  const other = yield* sortInSteps(items.slice(middle), compare)
  const merged: T[] = []
  let [at, atOther] = [0, 0]
  while (merged.length < items.length) {
    if (merged.length % atOnce === 0) yield
    const [first, second] = [one[at], other[atOther]]
    if (first !== undefined && (second === undefined || compare(first, second) <= 0)) {
      merged.push(first)
      at++
    } else if (second !== undefined) {
      merged.push(second)
      atOther++
    }
  }
  return merged
}
