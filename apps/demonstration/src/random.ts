/** Random numbers: seeded where the result must be repeatable, otherwise from the system. */
export type Random = {
  /** At least 0, below 1. */
  next: () => number
  /** A whole number, both ends included. */
  between: (least: number, most: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T | undefined
  /** Around the mean, rarely more than three times the spread away. */
  around: (middle: number, spread: number) => number
}

export function seededRandom(seed: number): Random {
  return randomFrom(mulberry32(seed))
}

export function systemRandom(): Random {
  return randomFrom(Math.random)
}

function randomFrom(next: () => number): Random {
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)],
    around: (middle, spread) => middle + (next() + next() + next() + next() - 2) * spread * 1.7,
  }
}

/** The mulberry32 generator: small, fast, and uniform enough for the demonstration. */
function mulberry32(seed: number) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
