import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { CredentialNumbers } from './credential-numbers.ts'

type Sealed = { numbers: CredentialNumbers; account: number; credential: string; number: string }

/** Stores the number of a credential encrypted, in place of an earlier one. */
export async function sealNumber(tx: Transaction, { numbers, account, credential, number }: Sealed) {
  const [hash, value] = [numbers.hash(number), numbers.seal(number, credential)]
  await removeSealed(tx, credential)
  await tx.run(sql`insert into sealed_number (sealed_number_credential, sealed_number_account, sealed_number_hash,
    sealed_number_value) values (${credential}, ${account}, ${hash}, ${value})`)
}

export function removeSealed(tx: Transaction, credential: string) {
  return tx.run(sql`delete from sealed_number where sealed_number_credential = ${credential}`)
}

/** Keeps the number of a deleted credential, which no longer counts as taken. */
export function retireSealed(tx: Transaction, credential: string) {
  return tx.run(
    sql`update sealed_number set sealed_number_deleted_at = now() where sealed_number_credential = ${credential}`,
  )
}

/** Returns whether the number of the deleted credential was still there. */
export async function restoreSealed(tx: Transaction, credential: string) {
  const restored = await tx.run(sql`update sealed_number set sealed_number_deleted_at = null
    where sealed_number_credential = ${credential} and sealed_number_deleted_at is not null`)
  return restored === 1
}

type Find = { accounts: readonly number[]; hashes: readonly Buffer[] }
const foundRow = z.object({ credential: z.uuid(), hash: z.instanceof(Buffer) })

/** The credentials in these accounts whose numbers have these hashes. */
export function findSealed(tx: Transaction, { accounts, hashes }: Find) {
  return tx.rows(
    foundRow,
    sql`select sealed_number_credential as credential, sealed_number_hash as hash from sealed_number
      where sealed_number_account = any(${[...accounts]}::int[]) and sealed_number_hash = any(${[...hashes]}::bytea[])
        and sealed_number_deleted_at is null`,
  )
}

/** The credential of the account that has taken the number of this deleted one. */
export async function findTaker(tx: Transaction, credential: string) {
  const found = await tx.first(
    z.object({ taker: z.uuid() }),
    sql`select taker.sealed_number_credential as taker
          from sealed_number own join sealed_number taker using (sealed_number_account, sealed_number_hash)
         where own.sealed_number_credential = ${credential} and taker.sealed_number_deleted_at is null`,
  )
  return found?.taker
}
