const place = 'portcullis-person'

/**
 * The most recent user of this browser, for the lock screen: never a right, and nothing that proves anything.
 * `isLocked`: they locked the screen and will be back; until then the console opens in no tab.
 */
export type RememberedUser = {
  name: string
  email: string
  img: string | null
  isLocked: boolean
  returnUrl: string | null
}

export function rememberUser(person: RememberedUser) {
  try {
    const { name, email, img, isLocked, returnUrl } = person
    localStorage.setItem(place, JSON.stringify({ name, email, img, isLocked, returnUrl }))
  } catch {
    // A browser without storage has no lock screen: it asks for the email, too.
  }
}

export function rememberedUser(): RememberedUser | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return isRememberedUser(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

export function forgetPerson() {
  try {
    localStorage.removeItem(place)
  } catch {
    // No user is remembered.
  }
}

// Checked by hand: every page needs this, and the sign-in page has no room for the schema library.
function isRememberedUser(stored: unknown): stored is RememberedUser {
  if (typeof stored !== 'object' || stored === null) return false
  const { name, email, img, isLocked, returnUrl }: { [K in keyof RememberedUser]?: unknown } = stored
  return (
    typeof name === 'string' &&
    typeof email === 'string' &&
    (img === null || typeof img === 'string') &&
    typeof isLocked === 'boolean' &&
    (returnUrl === null || typeof returnUrl === 'string')
  )
}
