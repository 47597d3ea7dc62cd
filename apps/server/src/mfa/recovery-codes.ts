import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import type { MfaSecrets } from './mfa-secrets.ts'

const many = 10
const length = 12
/** Without i, l, o and u, which are misread: 12 of 32 signs are 60 bits, which nobody guesses. */
const signs = '0123456789abcdefghjkmnpqrstvwxyz'
const misread: Record<string, string> = { i: '1', l: '1', o: '0' }

type Owner = { secrets: MfaSecrets; person: string }

/** Gives somebody new recovery codes instead of those of before, and answers them: nobody can read them again. */
export async function renewRecoveryCodes(tx: Transaction, { secrets, person }: Owner) {
  const codes = Array.from({ length: many }, makeCode)
  const hashes = codes.map((code) => `\\x${secrets.hashRecoveryCode(code, person).toString('hex')}`)
  await tx.run(sql`delete from recovery_code where recovery_code_person = ${person}`)
  await tx.run(sql`insert into recovery_code (recovery_code_person, recovery_code_hash)
    select ${person}::uuid, hash from unnest(${hashes}::bytea[]) as made (hash)`)
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** Takes a recovery code, which serves once; answers whether it was one of theirs. */
export async function takeRecoveryCode(tx: Transaction, { secrets, person, typed }: Owner & { typed: string }) {
  const code = plain(typed)
  if (code.length !== length) return false
  const taken = await tx.run(sql`delete from recovery_code
    where recovery_code_person = ${person} and recovery_code_hash = ${secrets.hashRecoveryCode(code, person)}`)
  return taken === 1
}

function makeCode() {
  return Array.from({ length }, () => signs[randomInt(signs.length)]).join('')
}

function plain(typed: string) {
  return typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ilo]/g, (sign) => misread[sign] ?? sign)
}
