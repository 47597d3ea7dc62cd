import { isTimeZone } from '@portcullis/contract/names'
import { problem } from '@portcullis/contract/errors/problem'
import pg from 'pg'
import { unusable } from '../errors/unusable.ts'

/**
 * The time zone of a response: the requested one, else that of the current account. Returns its full name, because
 * PostgreSQL takes `CET` for winter time all year.
 */
export function zoneOf(requested: string | undefined, { account }: { account: { defaultTimeZone: string } }) {
  const timeZone = requested ?? account.defaultTimeZone
  if (!isTimeZone(timeZone)) throw unknown()
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
}

/** PostgreSQL's invalid_parameter_value: it and Node may have different versions of the time zone data. */
const unknownZone = '22023'

/** Turns the database's error for an unknown time zone into a 400; returns other errors unchanged. */
export function zoneRefusal(error: unknown) {
  return error instanceof pg.DatabaseError && error.code === unknownZone ? unknown(error) : error
}

function unknown(cause?: unknown) {
  return unusable('timeZone', problem('unknown_time_zone'), cause)
}
