import { brands } from '@portcullis/contract/brands'
import { AppError } from '../errors/app-error.ts'

/** zxcvbn scores from 0 to 4; 3 is "safely unguessable". */
const leastScore = 3
/** Longer passwords are checked only up to this length: the check takes longer with the length, and they are strong. */
const longestChecked = 128

type DemandStrongPasswordInput = {
  password: string
  /** The field that the refusal names. */
  field: string
  owner: { name: string; email: string | null }
}

/** Refuses, with advice, a password that is easy to guess, also by people who know its owner. */
export async function demandStrongPassword({ password, field, owner }: DemandStrongPasswordInput) {
  checker ??= makeChecker()
  const { score, feedback } = (await checker).check(password.normalize('NFC'), wordsOf(owner))
  if (score >= leastScore) return
  const warnings = feedback.warning ? [`warning_${feedback.warning}`] : []
  const advice = [...warnings, ...feedback.suggestions.map((suggestion) => `suggestion_${suggestion}`)]
  const shownAdvice = advice.length > 0 ? advice : ['suggestion_anotherWord']
  throw new AppError('weak_password', { advice: shownAdvice }, { at: [field] })
}

let checker: ReturnType<typeof makeChecker> | undefined

/** The dictionaries take some megabytes, so they are loaded when the first password is checked. */
async function makeChecker() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  // Without translations the advice consists of keys, which the error turns into text.
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: longestChecked,
  })
}

/** The user's name and email, whole and in parts, and the product names. */
function wordsOf({ name, email }: DemandStrongPasswordInput['owner']) {
  const products = Object.values(brands).map(({ product }) => product)
  const phrases = [name, email ?? '', email?.split('@')[0] ?? '', ...products]
  const parts = phrases.flatMap((text) => text.split(/[\s@._+-]+/))
  return [...new Set([...phrases, ...parts, name.replace(/\s+/g, '')])].filter((word) => word.length > 2)
}
