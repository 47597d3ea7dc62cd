import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

type Row = Readonly<Record<string, unknown>>

/** Refuses a validity that ends before it begins; checked where either end is changed. */
export function requireValidPeriod(item: Row, changes: Row = item) {
  const { validFrom, validUntil } = item
  if (changes['validFrom'] === undefined && changes['validUntil'] === undefined) return
  if (typeof validFrom !== 'string' || typeof validUntil !== 'string') return
  if (Date.parse(validFrom) <= Date.parse(validUntil)) return
  throw unusable('validUntil', problem('ends_before_start'))
}
