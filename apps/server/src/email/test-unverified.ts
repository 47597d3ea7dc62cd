import sql from 'sql-template-tag'
import { Database } from '../database/database.ts'

/** Sets the email of a user with a password to unconfirmed, in the database of a server that runs. */
export async function makeUnverified({ databaseUrl, email }: { databaseUrl: string; email: string }) {
  const database = new Database({ databaseUrl, connections: 1 })
  try {
    await database.asSystem((tx) =>
      tx.run(sql`update person set person_verified = false where person_email = ${email}`),
    )
  } finally {
    await database.close()
  }
}
