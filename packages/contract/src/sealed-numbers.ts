/** The kinds of credential whose number opens doors for everyone who knows it: stored encrypted, and shown masked. */
export const sealedKinds = ['qr', 'mobile'] as const

const sealed: ReadonlySet<unknown> = new Set(sealedKinds)

export function isSealedKind(kind: unknown) {
  return sealed.has(kind)
}

const dots = '••••'
const mostShown = 4

/** What is shown of a number: its last 4 characters, and of a short one at most half. */
export function maskOf(number: string) {
  const shown = Math.min(mostShown, Math.floor(number.length / 2))
  return dots + number.slice(number.length - shown)
}

/** No number that a user enters has dots. */
export function isMask(number: unknown) {
  return typeof number === 'string' && number.startsWith(dots)
}
