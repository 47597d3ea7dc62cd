import { brands } from '@portcullis/contract/brands'
import { AppError } from '../errors/app-error.ts'

/** What zxcvbn calls safely unguessable (3) or better (4), of 0 to 4. */
const leastScore = 3
/** Beyond this a password is not looked at: the time that it takes grows with the length, and a long one is strong. */
const longestLooked = 128

type Asked = {
  password: string
  /** The field that the refusal names. */
  field: string
  owner: { name: string; email: string | null }
}

/** Refuses a password that is easy to guess, for everybody or for those who know its owner, and says what would help. */
export async function demandStrongPassword({ password, field, owner }: Asked) {
  checker ??= makeChecker()
  const { score, feedback } = (await checker).check(password.normalize('NFC'), wordsOf(owner))
  if (score >= leastScore) return
  const warnings = feedback.warning ? [`warning_${feedback.warning}`] : []
  const advice = [...warnings, ...feedback.suggestions.map((suggestion) => `suggestion_${suggestion}`)]
  const most = advice.length > 0 ? advice : ['suggestion_anotherWord']
  throw new AppError('weak_password', { advice: most }, { at: [field] })
}

let checker: ReturnType<typeof makeChecker> | undefined

/** Its dictionaries take some megabytes: they are read when the first password is chosen. */
async function makeChecker() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  // Without translations its advice is given as keys, which the error words.
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: longestLooked,
  })
}

/** Names and addresses as a whole and in their parts, and the product's names. */
function wordsOf({ name, email }: Asked['owner']) {
  const products = Object.values(brands).map(({ product }) => product)
  const known = [name, email ?? '', email?.split('@')[0] ?? '', ...products]
  const parts = known.flatMap((text) => text.split(/[\s@._+-]+/))
  return [...new Set([...known, ...parts, name.replace(/\s+/g, '')])].filter((word) => word.length > 2)
}
