import { catalogue } from '../text/catalogue.ts'
import { translation } from '../text/translation.ts'
import { guest } from './guest.text.ts'

type Words = { guest: typeof guest }

const { text: say, find } = catalogue<Words>(() => translation()?.texts ?? { guest })

/** The texts of the guest's page, without the console's catalogue. */
export const text = say

/** The text at a key that is known only at run time, if there is one. */
export const findText = find
