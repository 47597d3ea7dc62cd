const place = 'portcullis-person'

/**
 * What this browser remembers of who signed in last, for the lock screen: never a right, and nothing that proves anything.
 * `isLocked`: they locked the screen and will be back; until then the console opens in no tab.
 */
export type KeptPerson = {
  name: string
  email: string
  img: string | null
  isLocked: boolean
  returnUrl: string | null
}

export function keepPerson(person: KeptPerson) {
  try {
    const { name, email, img, isLocked, returnUrl } = person
    localStorage.setItem(place, JSON.stringify({ name, email, img, isLocked, returnUrl }))
  } catch {
    // A browser that keeps nothing has no lock screen: it asks for the e-mail, too.
  }
}

export function keptPerson(): KeptPerson | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return isKeptPerson(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function forgetPerson() {
  try {
    localStorage.removeItem(place)
  } catch {
    // Nothing was kept.
  }
}

// By hand: every page asks for this, and the sign-in page has no room for the library of schemas.
function isKeptPerson(kept: unknown): kept is KeptPerson {
  if (typeof kept !== 'object' || kept === null) return false
  const { name, email, img, isLocked, returnUrl }: { [K in keyof KeptPerson]?: unknown } = kept
  return (
    typeof name === 'string' &&
    typeof email === 'string' &&
    (img === null || typeof img === 'string') &&
    typeof isLocked === 'boolean' &&
    (returnUrl === null || typeof returnUrl === 'string')
  )
}
