import { catalogue } from './catalogue.ts'
import { signInWords } from './sign-in-words.ts'

const { text: say } = catalogue(signInWords)

/** The words of the sign-in pages: the same as `text` of the console, without the console's catalogue. */
export const text = say
