import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { CredentialNumbers } from './credential-numbers.ts'

const sealedRow = z.object({ credential: z.uuid(), value: z.instanceof(Buffer) })
const atOnce = 1_000
const first = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts and hashes all credential numbers with another key of the installation, in the transaction that replaces the
 * key. Returns their number.
 */
export async function resealNumbers(
  tx: Transaction,
  { from, to }: { from: CredentialNumbers; to: CredentialNumbers },
): Promise<number> {
  // Servers that still have the old key add none meanwhile.
  await tx.run(sql`lock table sealed_number in share row exclusive mode`)
  for (let [count, last] = [0, first]; ; ) {
    const rows = await tx.rows(
      sealedRow,
      sql`select sealed_number_credential as credential, sealed_number_value as value from sealed_number
           where sealed_number_credential > ${last} order by sealed_number_credential limit ${atOnce}`,
    )
    const opened = rows.map(({ credential, value }) => ({ credential, number: from.open(value, credential) }))
    await tx.run(sql`update sealed_number set sealed_number_hash = hash, sealed_number_value = value
      from unnest(${opened.map(({ credential }) => credential)}::uuid[],
                  ${opened.map(({ number }) => to.hash(number))}::bytea[],
                  ${opened.map(({ credential, number }) => to.seal(number, credential))}::bytea[])
           as resealed (credential, hash, value)
     where sealed_number_credential = credential`)
    count += rows.length
    last = rows.at(-1)?.credential ?? last
    if (rows.length < atOnce) return count
  }
}
