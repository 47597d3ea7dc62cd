import { isTimeZone } from '@portcullis/contract/names'
import { problem } from '@portcullis/contract/errors/problem'
import pg from 'pg'
import { unusable } from '../errors/unusable.ts'

/**
 * The zone in which an answer tells its times: what was asked for, else that of the current account; by its full name, for
 * PostgreSQL takes `CET` for what it is in winter.
 */
export function zoneOf(asked: string | undefined, { account }: { account: { defaultTimeZone: string } }) {
  const timeZone = asked ?? account.defaultTimeZone
  if (!isTimeZone(timeZone)) throw unknown()
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
}

/** PostgreSQL's invalid_parameter_value: it and Node need not have the same edition of the zones. */
const unknownZone = '22023'

/** What the database says of a zone that it does not know, as the refusal that it is; every other failure stays what it is. */
export function zoneRefusal(error: unknown) {
  return error instanceof pg.DatabaseError && error.code === unknownZone ? unknown(error) : error
}

function unknown(cause?: unknown) {
  return unusable('timeZone', problem('unknown_time_zone'), cause)
}
