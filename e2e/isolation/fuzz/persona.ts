import type { Role } from '@portcullis/contract/abilities'
import { Database } from '@portcullis/server/database/database'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { cookieOf, type Estate } from '../estate.ts'

export type Persona = { ref: string; headers: Record<string, string> }

/** Makes users in accounts of their own below Ravine, as random requests may end their sessions and delete themselves. */
export function personaMaker({ logins, ravine }: Pick<Estate, 'logins' | 'ravine'>) {
  const database = new Database({ logins, connections: 2 })
  return { make, close: () => database.close() }

  async function make(role: Role): Promise<Persona> {
    const [person, account] = [uuidv7(), uuidv7()]
    const ref = `fuzz-${account.slice(-12)}`
    await database.asSystem(async (tx) => {
      await tx.run(sql`insert into account (account_id, account_ref, account_name, account_parent, account_default_time_zone)
        select ${account}, ${ref}, ${ref}, account_id, 'UTC' from account where account_ref = ${ravine.ref}`)
      await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_verified, person_idle_time)
        select ${person}, account_key, ${ref}, ${`${ref}@people.example`}, true, 86400 from account where account_ref = ${ref}`)
      await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        select ${person}, account_key, ${role} from account where account_ref = ${ref}`)
    })
    return { ref, headers: { cookie: await cookieOf(database, person), 'x-js-account': ref } }
  }
}
