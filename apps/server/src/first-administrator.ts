import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Database, Transaction } from './database/database.ts'
import { hashPassword, makePassword } from './passwords/password.ts'

type EnsureAdministratorInput = { email: string; password: string | undefined; firstAccount?: FirstAccount; now: Date }
export type FirstAccount = { ref: string; name: string; defaultTimeZone: string }

const mainAccount = { ref: 'main', name: 'Main account', defaultTimeZone: 'UTC' } as const

/** The administrator who can sign in after startup: with a generated password, the given one, or one set earlier. */
export type Administrator = { email: string; password: { is: 'known' | 'given' } | { is: 'fresh'; text: string } }

/**
 * Creates the first account and the first administrator in an empty database: a hyper user, verified, with consent
 * given (design §5). A database with an administrator stays as it is; of two servers that start together only one
 * creates them.
 */
export function ensureAdministrator(
  database: Database,
  { email, password, firstAccount = mainAccount, now }: EnsureAdministratorInput,
): Promise<Administrator> {
  return database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(hashtext('portcullis first administrator'))`)
    const existing = await tx.first(
      z.object({ email: z.string() }),
      sql`select person_email as email from person where person_hyper and person_email is not null
           order by person_created_at limit 1`,
    )
    if (existing) return { email: existing.email, password: { is: 'known' } }
    const chosen = password ?? makePassword()
    await insertAdministrator(tx, { account: firstAccount, email, hash: await hashPassword(chosen), now })
    return { email, password: password === undefined ? { is: 'fresh', text: chosen } : { is: 'given' } }
  })
}

type InsertAdministratorInput = { account: FirstAccount; email: string; hash: string; now: Date }

/** A top-level account, and a hyper user as its administrator, verified and with consent given. */
export async function insertAdministrator(tx: Transaction, { account, email, hash, now }: InsertAdministratorInput) {
  const at = now.toISOString()
  const consent = JSON.stringify({ eula: at, privacy: at, terms: at, disclaimer: at })
  const person = uuidv7()
  const { ref, name, defaultTimeZone } = account
  await tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
    values (${uuidv7()}, ${ref}, ${name}, ${defaultTimeZone})`)
  await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_hyper, person_verified,
      person_consent, person_password_hash)
    select ${person}::uuid, account_key, 'Administrator', ${email.toLowerCase()}, true, true, ${consent}::jsonb, ${hash}
      from account where account_ref = ${ref}`)
  await tx.run(sql`insert into membership (membership_user, membership_account, membership_role,
      membership_last_recertified_at)
    select ${person}::uuid, account_key, 'admin', ${at}::timestamptz from account where account_ref = ${ref}`)
}
