import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { hashPassword } from './password.ts'

type Set = {
  person: string
  hash: string
  /** The session that goes on: the one in which it is changed. */
  keeping?: string
}

/** Gives a person another password: their sessions end, and with them, in the database, the links that would reset it. */
export async function setPassword(tx: Transaction, { person, hash, keeping }: Set) {
  await tx.run(sql`update person set person_password_hash = ${hash} where person_id = ${person}`)
  await tx.run(sql`update session set session_ended_at = now()
    where session_person = ${person} and session_ended_at is null and session_id is distinct from ${keeping ?? null}`)
}

/** The same for whoever keeps the server and knows an e-mail. Answers whether there is such a person. */
export async function setPasswordOf(database: Database, { email, password }: { email: string; password: string }) {
  const hash = await hashPassword(password)
  return database.asSystem(async (tx) => {
    const query = sql`select person_id as id from person where person_email = ${email.trim().toLowerCase()}`
    const person = await tx.first(z.object({ id: z.uuid() }), query)
    if (!person) return false
    await setPassword(tx, { person: person.id, hash })
    // Whoever keeps the server vouches for the e-mail: this is the way in where nobody can read mail.
    await tx.run(sql`update person set person_verified = true where person_id = ${person.id}`)
    return true
  })
}
