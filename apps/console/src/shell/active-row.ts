const page = 10

/** The row of a list to which a key moves from the active one; undefined for keys that do not move. */
export function activeRow({ key, active, count }: { key: string; active: number; count: number }) {
  const last = count - 1
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return active === last ? 0 : active + 1
    case 'ArrowUp':
      return active === 0 ? last : active - 1
    case 'PageDown':
      return Math.min(active + page, last)
    case 'PageUp':
      return Math.max(active - page, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
