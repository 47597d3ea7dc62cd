import type { Holder } from '@portcullis/contract/errors/error-body'
import pg from 'pg'
import { AppError } from './app-error.ts'

/** What may be there once: the field at fault, and those without which it could be there again. */
export type Unique = { field: string; besides: readonly string[]; within: 'account' | 'installation' }

/** Unique constraints that people run into. */
const constraints: Record<string, Unique> = {
  unit_serial_taken: { field: 'serial', besides: [], within: 'account' },
  credential_number_taken: { field: 'number', besides: [], within: 'account' },
  door_unit_door_taken: { field: 'unitDoor', besides: ['unit'], within: 'account' },
  account_account_ref_key: { field: 'ref', besides: [], within: 'installation' },
  person_person_email_key: { field: 'email', besides: [], within: 'installation' },
}

/** Whether the database has refused what is there already. */
export function isTaken(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '23505'
}

/** What may not be there twice, as far as it is a field of an item. */
export function takenUnique({ constraint = '' }: pg.DatabaseError): Unique | undefined {
  return constraints[constraint]
}

/** The refusal of what is taken, at its field. */
export function takenError(cause: pg.DatabaseError, holder?: Holder) {
  const { field } = takenUnique(cause) ?? { field: 'name' }
  return new AppError('taken', { field, holder: holder?.name ?? undefined }, { at: [field], holder, cause })
}
