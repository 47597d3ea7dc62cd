import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import sql, { join } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'

/**
 * How many wrong passwords are checked per period: from one network; from one network for one email; for one email from
 * all networks; in a browser where the user has signed in before. Such a known browser has its own count, so that
 * strangers cannot lock its user out.
 */
const bounds = {
  network: { most: 50, seconds: 600 },
  pair: { most: 10, seconds: 600 },
  email: { most: 50, seconds: 3_600 },
  device: { most: 10, seconds: 600 },
} as const
type Kind = keyof typeof bounds

/** After the longest period an attempt no longer counts anywhere. */
const longestSeconds = Math.max(...Object.values(bounds).map(({ seconds }) => seconds))

type SignInTry = { email: string; address: string; knownDevice: Buffer | undefined }

/**
 * Counts an attempt before its password is checked, so that parallel attempts cannot exceed the limit. It makes no
 * difference whether the email exists.
 */
export async function beginAttempt(database: Database, attempt: SignInTry) {
  const id = uuidv7()
  const keys = keysOf(attempt)
  await database.asSystem((tx) =>
    tx.run(sql`insert into sign_in_failure (sign_in_failure_key, sign_in_failure_try)
      select key, ${id}::uuid from unnest(${keys.map(({ key }) => key)}::text[]) as key`),
  )
  // A second transaction, because concurrent attempts see only committed rows.
  const exceeded = await database.asSystem((tx) =>
    tx.rows(
      z.object({ kind: z.enum(kinds) }),
      join(
        keys.map(({ kind, key }) => {
          const { most, seconds } = bounds[kind]
          return sql`select ${kind} as kind where (select count(*) from sign_in_failure where sign_in_failure_key = ${key}
            and sign_in_failure_at > now() - make_interval(secs => ${seconds})) > ${most}`
        }),
        ' union all ',
      ),
    ),
  )
  return {
    exceeded: new Set(exceeded.map(({ kind }) => kind)),
    /** Removes an attempt whose password was not checked, so that retrying does not prolong the wait. */
    async forget() {
      await database.asSystem((tx) => forgetTry(tx, { id, keys }))
    },
    /** Clears the failures of this user in this network or browser after a right password. */
    async succeed() {
      const own = keys.flatMap(({ kind, key }) => (kind === 'pair' || kind === 'device' ? [key] : []))
      // Skips rows that a concurrent sign-in of the same user is deleting, so that they do not wait for each other.
      await database.asSystem((tx) =>
        tx.run(sql`delete from sign_in_failure where ctid in (
          select ctid from sign_in_failure
           where sign_in_failure_key = any(${own}::text[])
              or (sign_in_failure_try = ${id} and sign_in_failure_key = any(${keys.map(({ key }) => key)}::text[]))
             for update skip locked)`),
      )
    },
  }
}

export function pruneAttempts(database: Database) {
  return database.asSystem((tx) =>
    tx.run(
      sql`delete from sign_in_failure where sign_in_failure_at < now() - make_interval(secs => ${longestSeconds})`,
    ),
  )
}

const kinds = ['network', 'pair', 'email', 'device'] as const satisfies Kind[]

type Key = { kind: Kind; key: string }

/** The email is hashed, because users sometimes type their password into the email field. */
function keysOf({ email, address, knownDevice }: SignInTry): Key[] {
  const network = networkOf(address)
  const person = createHash('sha256').update(email).digest('base64url')
  if (knownDevice) return [{ kind: 'device', key: `device ${person} ${knownDevice.toString('base64url')}` }]
  return [
    { kind: 'network', key: `network ${network}` },
    { kind: 'pair', key: `pair ${person} ${network}` },
    { kind: 'email', key: `email ${person}` },
  ]
}

function forgetTry(tx: Transaction, { id, keys }: { id: string; keys: readonly Key[] }) {
  return tx.run(sql`delete from sign_in_failure where sign_in_failure_try = ${id}
    and sign_in_failure_key = any(${keys.map(({ key }) => key)}::text[])`)
}

/** An IPv6 customer usually owns a whole /64 network, that is 2^64 addresses. */
export function networkOf(address: string) {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? []
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

function groupsOf(part: string) {
  return part.split(':').filter((group) => group !== '')
}
