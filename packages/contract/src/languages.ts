/** The languages of the console and of emails, by BCP 47 code, each by its own name. */
export const languages = { en: 'English', es: 'Español' } as const

export type Language = keyof typeof languages

export const languageCodes = ['en', 'es'] as const satisfies readonly Language[]
