import { link, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'
import type { Database, Transaction } from './database/database.ts'
import { keyLock } from './gateway/key-lock.ts'
import { dropUnneededKeys, serverKeysFrom } from './gateway/server-keys.ts'
import { mfaSecretsFrom, recoveryKeyFrom } from './mfa/mfa-secrets.ts'
import { credentialNumbersFrom } from './numbers/credential-numbers.ts'
import { resealNumbers } from './numbers/reseal-numbers.ts'
import { anotherKey, codeOf, fingerprintOf, nextKeyFile, openSecretKey, readSecretKey } from './secret-key.ts'

const bytesRow = z.instanceof(Buffer)
const waitingRow = z.object({ name: z.string(), serial: z.string(), account: z.string() })
/** A controller that has not confirmed the current key. */
export type WaitingUnit = z.output<typeof waitingRow>

type Keys = { key: Uint8Array; next: Uint8Array }

/**
 * Replaces the installation's secret key: the new one is on disk before the database changes in one transaction, and takes
 * the name of the old one after that. A run that was interrupted is completed by the next one. Returns the file with the
 * old key, and the controllers that do not trust the new one yet.
 *
 * @throws {ConfigError} if a server runs, or the file does not hold the key of this database.
 */
export async function rotateKey(database: Database, { file }: { file: string }) {
  const key = await readSecretKey(file)
  const next = await openSecretKey(nextKeyFile(file))
  await database.asSystem((tx) => rotateInDatabase(tx, { file, key, next }))
  const oldFile = `${file}${oldMark}${fingerprintOf(key).toString('hex').slice(0, 8)}`
  await link(file, oldFile).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rename(nextKeyFile(file), file)
  return { oldFile, waiting: await unitsWaiting(database, { key: next }) }
}

const oldMark = '.old-'

/** The keys that were replaced and whose files are still there. */
export async function replacedKeys(file: string) {
  const names = await readdir(dirname(file))
  const old = names.filter((name) => name.startsWith(`${basename(file)}${oldMark}`))
  return Promise.all(old.map((name) => readSecretKey(join(dirname(file), name))))
}

/** Encrypts everything again that depends on the key, unless an interrupted run has done so. */
export async function rotateInDatabase(tx: Transaction, { file, key, next }: Keys & { file: string }) {
  await lockInstallation(tx)
  const fingerprint = (
    await tx.first(
      z.object({ bytes: bytesRow }),
      sql`select installation_key_fingerprint as bytes from installation for update`,
    )
  )?.bytes
  if (fingerprint?.equals(fingerprintOf(next))) return
  if (!fingerprint?.equals(fingerprintOf(key))) throw new ConfigError(anotherKey(file))
  await sealAuthenticators(tx, { key, next })
  await resealNumbers(tx, { from: credentialNumbersFrom(key), to: credentialNumbersFrom(next) })
  await storeEarlierKeys(tx, { key, next })
  await tx.run(sql`update installation set installation_key_fingerprint = ${fingerprintOf(next)}`)
}

/** A running server would continue to encrypt with the old key. */
async function lockInstallation(tx: Transaction) {
  const row = await tx.first(
    z.object({ isFree: z.boolean() }),
    sql`select pg_try_advisory_xact_lock(${keyLock}) as "isFree"`,
  )
  if (row?.isFree) return
  throw new ConfigError(
    'The key cannot be rotated while servers run: stop all servers of this installation, run this command again, then start them. Doors go on deciding meanwhile.',
  )
}

async function sealAuthenticators(tx: Transaction, { key, next }: Keys) {
  const [old, renewed] = [mfaSecretsFrom(key), mfaSecretsFrom(next)]
  const rows = await tx.rows(
    z.object({ person: z.uuid(), key: bytesRow.nullable(), pending: bytesRow.nullable() }),
    sql`select mfa_person as person, mfa_key as key, mfa_pending_key as pending from mfa
         where mfa_key is not null or mfa_pending_key is not null for update`,
  )
  for (const { person, ...sealed } of rows) {
    const again = (value: Buffer | null) => value && renewed.sealKey(old.openKey(value, person), person)
    await tx.run(sql`update mfa set mfa_key = ${again(sealed.key)}, mfa_pending_key = ${again(sealed.pending)}
      where mfa_person = ${person}`)
  }
}

/**
 * The previous signing key announces the new one to the controllers. Recovery codes stay hashed under the key with which
 * they were made. Both old keys are stored, encrypted under the new key, with those of earlier rotations.
 */
async function storeEarlierKeys(tx: Transaction, { key, next }: Keys) {
  const [old, renewed] = [serverKeysFrom(key), serverKeysFrom(next)]
  const { publicKey, privateKey } = old.current
  const again = (value: Buffer, about: string) => renewed.sealing.seal(old.sealing.open(value, about), about)
  const rows = await tx.rows(
    z.object({ public: bytesRow, signing: bytesRow.nullable(), recovery: bytesRow }),
    sql`select earlier_key_public as public, earlier_key_signing as signing, earlier_key_recovery as recovery
          from earlier_key for update`,
  )
  for (const row of rows) {
    const about = row.public.toString('base64')
    await tx.run(sql`update earlier_key set earlier_key_signing = ${row.signing && again(row.signing, about)},
      earlier_key_recovery = ${again(row.recovery, about)} where earlier_key_public = ${row.public}`)
  }
  await tx.run(sql`insert into earlier_key (earlier_key_public, earlier_key_signing, earlier_key_recovery)
    values (${Buffer.from(publicKey, 'base64')}, ${renewed.sealing.seal(Buffer.from(privateKey), publicKey)},
      ${renewed.sealing.seal(recoveryKeyFrom(key), publicKey)})`)
  await tx.run(sql`update unit_secret set unit_secret_server_key = ${Buffer.from(publicKey, 'base64')}
    where unit_secret_server_key is null`)
  await dropUnneededKeys(tx)
}

/** The keys of earlier times under which recovery codes are hashed. */
export async function earlierRecoveryKeys(database: Database, { key }: { key: Uint8Array }) {
  const { sealing } = serverKeysFrom(key)
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ public: bytesRow, recovery: bytesRow }),
      sql`select earlier_key_public as public, earlier_key_recovery as recovery from earlier_key`,
    ),
  )
  return rows.map((row) => sealing.open(row.recovery, row.public.toString('base64')))
}

/** Stops waiting for controllers that have not confirmed the current key, and returns them: they need a new enrolment. */
export async function finishRotation(database: Database, { key }: { key: Uint8Array }) {
  const waiting = await unitsWaiting(database, { key })
  await database.asSystem((tx) => tx.run(sql`update earlier_key set earlier_key_signing = null`))
  return waiting
}

function unitsWaiting(database: Database, { key }: { key: Uint8Array }) {
  const current = Buffer.from(serverKeysFrom(key).current.publicKey, 'base64')
  return database.asSystem((tx) =>
    tx.rows(
      waitingRow,
      sql`select unit_name as name, unit_serial as serial, account_name as account
            from unit join unit_secret on unit_secret_unit = unit_id join account on account_key = unit_account
           where unit_secret_server_key <> ${current} order by account_name, unit_name`,
    ),
  )
}
