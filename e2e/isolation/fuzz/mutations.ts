import fc from 'fast-check'

/** Values that a faulty client sends in the wrong place. */
export const oddities = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    [],
    {},
    [[]],
    -0,
    0,
    -1,
    1,
    0.5,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    1e308,
  ),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    "'; drop table account; --",
    '../../etc/passwd',
    '9999-99-99',
  ),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.integer({ min: 1, max: 4_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 80 }).map(nested),
  fc.jsonValue({ maxDepth: 3 }),
)

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) }
}

/** The value with some of its parts replaced, removed or added. */
export function mutationsOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ place: fc.nat(), how: fc.constantFrom('replace', 'remove', 'add'), by: oddities })
  return fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    const copy: unknown = JSON.parse(JSON.stringify(value ?? null))
    // Copies, because a shared value would change in later cases, and could become part of itself.
    return changes.map((change) => ({ ...change, by: structuredClone(change.by) })).reduce<unknown>(changed, copy)
  })
}

type Change = { place: number; how: 'replace' | 'remove' | 'add'; by: unknown }

function changed(value: unknown, { place, how, by }: Change) {
  const places = placesIn(value)
  const found = places[place % Math.max(places.length, 1)]
  if (!found) return by
  const [owner, key] = found
  if (how === 'remove') Reflect.deleteProperty(owner, key)
  else Reflect.set(owner, how === 'add' ? `${key}x` : key, by)
  return value
}

function placesIn(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placesWith({ owner: value, key, inner }))
}

function placesWith({ owner, key, inner }: { owner: object; key: string; inner: unknown }): [object, string][] {
  return [[owner, key], ...placesIn(inner)]
}
