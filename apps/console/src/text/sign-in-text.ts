import { catalogue } from './catalogue.ts'
import { signInWords } from './sign-in-words.ts'
import { translation } from './translation.ts'

// The translation loads after this module, and before the page is rendered.
const { text: say } = catalogue<typeof signInWords>(() => translation()?.texts ?? signInWords)

/** The texts of the sign-in pages: the same as `text` of the console, without the console's catalogue. */
export const text = say
