import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import type { MfaSecrets } from './mfa-secrets.ts'

const codeCount = 10
const length = 12
/** Without i, l, o and u, which are misread. 12 characters of 32 are 60 bits, too many to guess. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const misread: Record<string, string> = { i: '1', l: '1', o: '0' }

type Owner = { secrets: MfaSecrets; person: string }

/** Replaces the user's recovery codes, and returns the new ones: they cannot be read again. */
export async function renewRecoveryCodes(tx: Transaction, { secrets, person }: Owner) {
  const codes = Array.from({ length: codeCount }, makeCode)
  const hashes = codes.map((code) => byteaOf(secrets.hashRecoveryCode(code, person)))
  await tx.run(sql`delete from recovery_code where recovery_code_person = ${person}`)
  await tx.run(sql`insert into recovery_code (recovery_code_person, recovery_code_hash)
    select ${person}::uuid, hash from unnest(${hashes}::bytea[]) as made (hash)`)
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** Uses up a recovery code, which works once; returns whether the user had it. */
export async function takeRecoveryCode(tx: Transaction, { secrets, person, typed }: Owner & { typed: string }) {
  const code = normalised(typed)
  if (code.length !== length) return false
  const hashes = secrets.recoveryHashes(code, person).map(byteaOf)
  const taken = await tx.run(sql`delete from recovery_code
    where recovery_code_person = ${person} and recovery_code_hash = any(${hashes}::bytea[])`)
  return taken === 1
}

/** The text form of bytes, for elements of an array. */
function byteaOf(bytes: Buffer) {
  return `\\x${bytes.toString('hex')}`
}

function makeCode() {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

function normalised(typed: string) {
  return typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ilo]/g, (character) => misread[character] ?? character)
}
