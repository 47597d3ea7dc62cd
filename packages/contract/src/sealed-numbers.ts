/** The kinds of credential whose number alone opens doors: it is stored encrypted, and shown masked. */
export const sealedKinds = ['pin', 'qr', 'mobile'] as const

const sealed: ReadonlySet<unknown> = new Set(sealedKinds)

export function isSealedKind(kind: unknown) {
  return sealed.has(kind)
}

const dots = '••••'
const maxShown = 4

/** The mask of a number: its last 4 characters, or at most half of a short number; of a PIN, nothing. */
export function maskOf(number: string, kind?: unknown) {
  if (kind === 'pin') return dots
  const shown = Math.min(maxShown, Math.floor(number.length / 2))
  return dots + number.slice(number.length - shown)
}

/** No number that a user enters has dots. */
export function isMask(number: unknown) {
  return typeof number === 'string' && number.startsWith(dots)
}
