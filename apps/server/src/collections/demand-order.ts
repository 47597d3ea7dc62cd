import { AppError } from '../errors/app-error.ts'

type Row = Readonly<Record<string, unknown>>

/** What is valid from one moment until another does not end before it begins; looked at where one of the two is changed. */
export function demandOrder(item: Row, changes: Row = item) {
  const { validFrom, validUntil } = item
  if (changes['validFrom'] === undefined && changes['validUntil'] === undefined) return
  if (typeof validFrom !== 'string' || typeof validUntil !== 'string') return
  if (Date.parse(validFrom) <= Date.parse(validUntil)) return
  const message = 'It can not end before it begins.'
  throw new AppError('bad_request', message, { fields: { validUntil: message } })
}
