import { AppError } from '../errors/app-error.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'

/**
 * That a PIN or a hidden number is taken says that it opens doors. Users who meet many may be looking for them, so their next
 * attempts are refused for a while, taken or not.
 */
const met = new TokenBuckets({ burst: 10, perSecond: 1 / 360 })

export function demandHiddenNumberBudget(person: string) {
  const ms = met.of(person).msUntil(1)
  if (ms > 0) throw new AppError('too_many', {}, { retryAfterSeconds: Math.ceil(ms / 1_000) })
}

export function spendHiddenNumberBudget(person: string) {
  met.of(person).spend(1)
}
