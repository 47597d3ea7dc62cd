import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordHistory } from '../history/record-history.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { recordUserEvent } from '../sessions/record-sign-in.ts'
import { hashPassword } from './password.ts'

/** The origin of an operator's change. */
const commandLine = { address: '127.0.0.1', device: 'npm run set-password' } as const

type SetPasswordInput = {
  person: string
  hash: string
  /** The session of the change, which continues. */
  keeping?: string
}

/** Sets a user's password and ends their sessions; a database trigger also ends their password reset links. */
export async function setPassword(tx: Transaction, { person, hash, keeping }: SetPasswordInput) {
  await tx.run(sql`update person set person_password_hash = ${hash} where person_id = ${person}`)
  await tx.run(sql`update session set session_ended_at = now()
    where session_person = ${person} and session_ended_at is null and session_id is distinct from ${keeping ?? null}`)
}

/**
 * Sets the password of the user with this email, for an operator at the server's command line: the user is notified, and the
 * event names the command. Returns whether the user exists.
 */
export async function setPasswordOf(database: Database, { email, password }: { email: string; password: string }) {
  const hash = await hashPassword(password)
  return database.asSystem(async (tx) => {
    const query = sql`select person_id as id from person where person_email = ${email.trim().toLowerCase()}`
    const person = await tx.first(z.object({ id: z.uuid() }), query)
    if (!person) return false
    await setPassword(tx, { person: person.id, hash })
    // The operator confirms the email, because this command also has to work where no email arrives.
    await tx.run(sql`update person set person_verified = true where person_id = ${person.id}`)
    await queueNotice(tx, person.id, 'password_changed')
    await recordUserEvent(tx, { ...commandLine, person: person.id, as: 'password_reset' })
    await auditPassword(tx, person.id)
    return true
  })
}

/** Writes an entry without values in the history of the user's home account; its author is the command. */
async function auditPassword(tx: Transaction, person: string) {
  const home = await tx.first(
    z.object({ key: z.int(), root: z.int() }),
    sql`select account_key as key, account_root as root from person join account on account_key = person_home
         where person_id = ${person}`,
  )
  if (!home) return
  const change = await recordHistory(tx, {
    access: {
      person: { _id: null, name: commandLine.device },
      account: home,
      assumed: null,
      requestId: uuidv7(),
    },
    account: home.key,
    collection: users.name,
    item: person,
    action: 'patch',
    before: {},
    after: {},
    policyVersion: null,
  })
  await recordChanges(tx, [change])
}
