import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common'
import { dictionary as englishWords } from '@zxcvbn-ts/language-en'

const estimator = new ZxcvbnFactory({ dictionary: { ...commonWords, ...englishWords }, graphs: adjacencyGraphs })

/** Longer ones are not easier to guess, but take longer to judge. */
const mostJudged = 128

/** How hard a password is to guess, from 0 to 4, for who knows these words of its owner. */
export function estimateStrength(password: string, ownWords: readonly string[]): 0 | 1 | 2 | 3 | 4 {
  const words = ownWords.flatMap((word) => [word, ...word.split(/[\s@.\-_]+/u)]).filter((word) => word.length > 2)
  return estimator.check(password.slice(0, mostJudged), words).score
}
