import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import sql, { join } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'

/**
 * So many wrong passwords are looked at in so many seconds: from one network; from one network for one e-mail; for one e-mail
 * from everywhere; in a browser in which its person has signed in before. Such a browser counts for itself alone, so that
 * strangers can't lock anybody out of it.
 */
const bounds = {
  network: { most: 50, seconds: 600 },
  pair: { most: 10, seconds: 600 },
  email: { most: 50, seconds: 3_600 },
  device: { most: 10, seconds: 600 },
} as const
type Kind = keyof typeof bounds

/** After so long a try counts nowhere any more. */
const longestSeconds = Math.max(...Object.values(bounds).map(({ seconds }) => seconds))

type Asked = { email: string; address: string; knownDevice: Buffer | undefined }

/**
 * Counts a try before its password is looked at, so that many at once are no more than one after the other. Whether anybody has
 * the e-mail makes no difference.
 */
export async function beginTry(database: Database, asked: Asked) {
  const id = uuidv7()
  const keys = keysOf(asked)
  await database.asSystem((tx) =>
    tx.run(sql`insert into sign_in_failure (sign_in_failure_key, sign_in_failure_try)
      select key, ${id}::uuid from unnest(${keys.map(({ key }) => key)}::text[]) as key`),
  )
  // Only what is committed is seen by those who count at the same moment.
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
    /** A try that was not looked at does not count: who goes on while they wait does not wait for ever. */
    async forget() {
      await database.asSystem((tx) => forgetTry(tx, { id, keys }))
    },
    /** After a right password nothing is held against its person here any more. */
    async succeed() {
      const own = keys.flatMap(({ kind, key }) => (kind === 'pair' || kind === 'device' ? [key] : []))
      // What another sign-in of the same person is forgetting at this moment is left to it: they must not wait for each other.
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

export function pruneTries(database: Database) {
  return database.asSystem((tx) =>
    tx.run(
      sql`delete from sign_in_failure where sign_in_failure_at < now() - make_interval(secs => ${longestSeconds})`,
    ),
  )
}

const kinds = ['network', 'pair', 'email', 'device'] as const satisfies Kind[]

type Key = { kind: Kind; key: string }

/** People type a password where the e-mail belongs: what was typed is not kept. */
function keysOf({ email, address, knownDevice }: Asked): Key[] {
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

/** Who has one address of IPv6 has 2^64 of them: the network of one customer is a /64. */
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
