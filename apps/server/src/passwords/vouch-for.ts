import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { hashPassword } from './password.ts'

type Vouching = {
  person: string
  /** Key of the account that has just created them. */
  account: number
  password?: string | undefined
  verified?: boolean | undefined
}

/** Gives somebody who was created in this very transaction their first password, and answers for their e-mail. */
export async function vouchFor(tx: Transaction, { person, account, password, verified = false }: Vouching) {
  const hash = password === undefined ? null : await hashPassword(password)
  await tx.run(sql`select vouch_for(${person}, ${account}, ${hash}, ${verified})`)
}
