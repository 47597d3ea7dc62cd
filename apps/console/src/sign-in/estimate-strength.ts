import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common'
import { dictionary as englishWords } from '@zxcvbn-ts/language-en'
import { defaultBrand } from '@portcullis/contract/brands'

// The same words and limit as the server's, so that it refuses no password that was called strong here.
const estimator = new ZxcvbnFactory({
  dictionary: { ...commonWords, ...englishWords },
  graphs: adjacencyGraphs,
  maxLength: 128,
})

/** How hard a password is to guess, from 0 to 4, for an attacker who knows its owner's name and email. */
export function estimateStrength(password: string, owner: readonly string[]): 0 | 1 | 2 | 3 | 4 {
  const ownWords = [...owner, defaultBrand.product]
  const parts = ownWords.flatMap((words) => [words, words.replace(/\s+/gu, ''), ...words.split(/[\s@._+-]+/u)])
  return estimator.check(
    password.normalize('NFC'),
    [...new Set(parts)].filter((word) => word.length > 2),
  ).score
}
