import type { Holder } from '@portcullis/contract/errors/error-body'
import pg from 'pg'
import { AppError } from './app-error.ts'

/** A unique constraint: the field to report, and the other fields that it covers. */
export type Unique = { field: string; otherFields: readonly string[]; within: 'account' | 'installation' }

/** The unique constraints that users can violate. */
const constraints: Record<string, Unique> = {
  unit_serial_taken: { field: 'serial', otherFields: [], within: 'account' },
  credential_number_taken: { field: 'number', otherFields: [], within: 'account' },
  sealed_number_taken: { field: 'number', otherFields: [], within: 'account' },
  door_unit_door_taken: { field: 'unitDoor', otherFields: ['unit'], within: 'account' },
  account_account_ref_key: { field: 'ref', otherFields: [], within: 'installation' },
  person_person_email_key: { field: 'email', otherFields: [], within: 'account' },
}

/** Whether the error is a violation of a unique constraint. */
export function isTaken(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '23505'
}

/** The violated constraint, if it concerns a field of an item. */
export function violatedUnique({ constraint = '' }: pg.DatabaseError): Unique | undefined {
  return constraints[constraint]
}

/** The error for a taken value, at its field. */
export function takenError(cause: pg.DatabaseError, holder?: Holder) {
  const { field } = violatedUnique(cause) ?? { field: 'name' }
  return new AppError('taken', { field, holder: holder?.name ?? undefined }, { at: [field], holder, cause })
}
