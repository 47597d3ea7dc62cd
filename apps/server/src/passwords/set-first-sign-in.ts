import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { hashPassword } from './password.ts'

type FirstSignInInput = {
  person: string
  /** The key of the account that has just created the user. */
  account: number
  password?: string | undefined
  verified?: boolean | undefined
}

/** Sets the first password of a user created in this transaction, and marks their email as confirmed if `verified`. */
export async function setFirstSignIn(
  tx: Transaction,
  { person, account, password, verified = false }: FirstSignInInput,
) {
  const hash = password === undefined ? null : await hashPassword(password)
  await tx.run(sql`select vouch_for(${person}, ${account}, ${hash}, ${verified})`)
}
