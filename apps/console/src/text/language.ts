import { isLanguage, type Language, supportedLanguage } from '@portcullis/contract/languages'

/**
 * Languages made from English for tests, by the names that browsers use for them: `en-XA` puts brackets around every text of
 * the catalogue, so that other text is found; `en-XB` also runs from right to left.
 */
const pseudoLanguages = ['en-XA', 'en-XB'] as const

const usualLocales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-ES' }

/** Where the browser keeps the choice of its user, who may sign in later: the sign-in pages follow it too. */
const storageKey = 'portcullis-language'

const choice = storedChoice()

/** Null unless a test requests a pseudo-language. */
export const pseudoLanguage = pseudoLanguages.find((pseudo) => pseudo === choice) ?? null

/** The language of this page: the user's choice, otherwise the first language of the browser that the console supports. */
export const language: Language = isLanguage(choice) ? choice : browserLanguage()

/** The regional form for dates, numbers and lists, such as `es-MX`: from the browser, otherwise the European one. */
export const locale = pseudoLanguage === null ? localeOf(language, browserLanguages()) : 'ja-JP'

export const direction = pseudoLanguage === 'en-XB' ? 'rtl' : 'ltr'

/** The URL of a legal page, in the language of this page. */
export function policyUrl(name: 'eula' | 'privacy' | 'terms' | 'disclaimer') {
  return `/assets/policy/${name}?lang=${language}`
}

/** `es-MX` where the browser prefers Mexican Spanish; a browser that names no region gets the European form. */
export function localeOf(of: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().startsWith(`${of}-`)) ?? usualLocales[of]
}

/** Stores the choice, null for the browser's language. Returns whether this page must be loaded again to show it. */
export function chooseLanguage(next: Language | null): boolean {
  if (pseudoLanguage !== null) return false
  try {
    if (next === null) globalThis.localStorage?.removeItem(storageKey)
    else globalThis.localStorage?.setItem(storageKey, next)
  } catch {
    // A browser without storage uses its own language.
    return false
  }
  return (next ?? browserLanguage()) !== language
}

function storedChoice(): string | null {
  if (globalThis.document === undefined) return null
  try {
    return globalThis.localStorage?.getItem(storageKey) ?? null
  } catch {
    return null
  }
}

function browserLanguage(): Language {
  return supportedLanguage(browserLanguages()) ?? 'en'
}

function browserLanguages(): readonly string[] {
  return globalThis.navigator?.languages ?? []
}
