import type { signInWords } from './sign-in-words.ts'

type SignInWords = typeof signInWords

/**
 * Every text of the console, by entity: `sites.name`. The texts lie where they are used, in `{folder}/{folder}.text.ts`, and
 * each of these files adds its own to this interface. Those of the sign-in pages load by themselves.
 */
export interface Texts extends SignInWords {}
