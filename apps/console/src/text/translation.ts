import type { ProblemWords } from '@portcullis/contract/errors/word-problem'
import type { OtherLanguage } from '@portcullis/contract/languages'
import type { Tree } from './catalogue.ts'
import { language } from './language.ts'

/** The content of a language other than English: the texts of all folders, and the sentences of errors. */
export type Translated = { texts: Tree; problems: ProblemWords }

export const translations: Readonly<Record<OtherLanguage, () => Promise<Translated>>> = {
  es: async () => (await import('./spanish.ts')).spanish,
}

let loaded: Translated | undefined

/** The language of this page; undefined in English. */
export function translation() {
  return loaded
}

/**
 * Loads the language of this page, before the chunks that read it. It is a call, not an `await` in a module: that would split the
 * script of the sign-in page into many small files. A page whose translation fails to load is in English.
 */
export async function loadTranslation() {
  if (language !== 'en') loaded = await translations[language]().catch(() => undefined)
}
