import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, link, readFile, rm, writeFile } from 'node:fs/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'
import type { Database } from './database/database.ts'
import { deriveKey } from './sealing.ts'

const bytes = 32

/** Reads the secret of this installation, from which its keys are derived; creates the file if it does not exist. */
export async function openSecretKey(file: string) {
  await access(file).catch(async (cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') await createSecretKey(file)
  })
  return readSecretKey(file)
}

/** Reads the secret of an installation that has one. */
export async function readSecretKey(file: string) {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(sentence(file, 'cannot be read'), { cause })
  })
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length !== bytes) throw new ConfigError(sentence(file, `does not hold ${bytes} bytes in hexadecimal digits`))
  return key
}

/**
 * If two servers start together on one folder, one creates the file and both read it. The file gets its name only when it
 * is complete, so neither can read a part of it.
 */
async function createSecretKey(file: string) {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, randomBytes(bytes).toString('hex'), { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, file)
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw new ConfigError(sentence(file, 'cannot be written'), { cause })
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Refuses a key other than that of this database: authenticator keys could not be read, and
 * controllers would reject every configuration. Only a fingerprint is stored, derived so that it reveals no key.
 *
 * @throws {ConfigError} if the key is another.
 */
export async function checkSecretKey(database: Database, { file, key }: { file: string; key: Uint8Array }) {
  const fingerprint = fingerprintOf(key)
  const isSame = await database.asSystem(async (tx) => {
    await tx.run(sql`insert into installation (installation_key_fingerprint) values (${fingerprint})
      on conflict do nothing`)
    const row = await tx.first(
      z.object({ same: z.boolean() }),
      sql`select installation_key_fingerprint = ${fingerprint} as same from installation`,
    )
    return row?.same
  })
  if (!isSame) throw otherKeyError(file)
}

/**
 * The same for a server that runs, as the role that migrates: a rotation removes the logins of the earlier key.
 *
 * @throws {ConfigError} if the key was rotated.
 */
export async function confirmSecretKey(databaseUrl: string, { file, key }: { file: string; key: Uint8Array }) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const same = 'select from installation where installation_key_fingerprint = $1'
    const { rowCount } = await client.query(same, [fingerprintOf(key)])
    if (rowCount === 0) throw otherKeyError(file)
  } finally {
    await client.end().catch(() => {})
  }
}

function otherKeyError(file: string) {
  if (!existsSync(nextKeyFile(file))) return new ConfigError(anotherKey(file))
  return new ConfigError(
    `SECRET_KEY_FILE: the key in ${file} was being replaced when the rotation was interrupted: run npm run rotate-key again, which completes it.`,
  )
}

/** Derived so that it reveals no key. */
export function fingerprintOf(key: Uint8Array) {
  return createHash('sha256').update(deriveKey(key, 'portcullis key fingerprint')).digest()
}

/** Where a rotation writes the new key before the database uses it. */
export function nextKeyFile(file: string) {
  return `${file}.new`
}

export function anotherKey(file: string) {
  return `SECRET_KEY_FILE: ${file} holds another key than the one of this database: restore that key from a backup of DATA_DIR, or set SECRET_KEY_FILE to it. If the key was rotated on another server, copy its new file here.`
}

function sentence(file: string, fault: string) {
  return `SECRET_KEY_FILE: ${file} ${fault}: set it to the installation's key, or leave it out to have a key created in DATA_DIR.`
}

export function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
