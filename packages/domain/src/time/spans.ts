import type { Span } from './zone.ts'

// Sets of instants as ordered spans that do not touch; each includes its first instant but not its last. Spans that an
// operation leaves as they are stay the same objects: thousands of results may share them.

/** The union of spans in any order. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last === undefined || span.from > last.until) result.push(span)
    else if (span.until > last.until) result[result.length - 1] = { from: last.from, until: span.until }
  }
  return result
}

/** The parts of spans within one span; returns the same list if nothing is outside. */
export function clippedSpans(spans: readonly Span[], { from, until }: Span): readonly Span[] {
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined || (first.from >= from && last.until <= until)) return spans
  return spans
    .filter((span) => Math.max(span.from, from) < Math.min(span.until, until))
    .map((span) =>
      span.from >= from && span.until <= until
        ? span
        : { from: Math.max(span.from, from), until: Math.min(span.until, until) },
    )
}

/** The instants in both sets. */
export function sharedSpans(one: readonly Span[], other: readonly Span[]): Span[] {
  const result: Span[] = []
  let [at, atOther] = [0, 0]
  for (;;) {
    const [a, b] = [one[at], other[atOther]]
    if (a === undefined || b === undefined) return result
    const shared = { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }
    if (shared.from < shared.until) result.push(shared)
    if (a.until < b.until) at++
    else atOther++
  }
}

/** The first set without the second. */
export function subtractSpans(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans) {
    let { from } = span
    for (const hole of taken) {
      if (hole.until <= from || hole.from >= span.until) continue
      if (hole.from > from) result.push({ from, until: hole.from })
      from = hole.until
    }
    if (from < span.until) result.push(from === span.from ? span : { from, until: span.until })
  }
  return result
}

export function areSameSpans(one: readonly Span[], other: readonly Span[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ from, until }, at) => other[at]?.from === from && other[at]?.until === until)
  )
}
