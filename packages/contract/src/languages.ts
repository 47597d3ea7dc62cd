export const languageCodes = ['en', 'es'] as const

export type Language = (typeof languageCodes)[number]

/** The languages into which the English texts are translated. */
export type OtherLanguage = Exclude<Language, 'en'>

/** The languages of the console, of emails and of legal pages, by BCP 47 code, each by its own name. */
export const languages: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/** The first of these BCP 47 tags whose language the product has, such as `es` for `es-MX`; undefined if there is none. */
export function supportedLanguage(tags: readonly string[]): Language | undefined {
  const codes = tags.map((tag) => tag.split('-')[0]?.toLowerCase())
  return codes.find(isLanguage)
}

export function isLanguage(code: string | null | undefined): code is Language {
  return languageCodes.some((each) => each === code)
}
