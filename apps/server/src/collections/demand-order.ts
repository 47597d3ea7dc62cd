import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

type Row = Readonly<Record<string, unknown>>

/** What is valid from one moment until another does not end before it begins; looked at where one of the two is changed. */
export function demandOrder(item: Row, changes: Row = item) {
  const { validFrom, validUntil } = item
  if (changes['validFrom'] === undefined && changes['validUntil'] === undefined) return
  if (typeof validFrom !== 'string' || typeof validUntil !== 'string') return
  if (Date.parse(validFrom) <= Date.parse(validUntil)) return
  throw unusable('validUntil', problem('ends_before_start'))
}
