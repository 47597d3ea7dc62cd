import type { login } from '@portcullis/contract/calls/authentication'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import { isPassword } from './password.ts'
import { openSession } from './session-store.ts'
import { tellFailedSignIn } from './tell-sign-in.ts'

/** From one address so many wrong passwords are tried in the window; then it waits. */
const failures = { most: 20, windowSeconds: 600 } as const

type Asked = {
  credentials: z.output<typeof login.input>
  address: string
  device: string | undefined
  /** For what may only be done once the answer is on its way, lest its time tell who is known. */
  afterwards: (work: () => Promise<unknown>) => void
}

/** Checks e-mail and password and answers the token of a new session; wrong in any way is told in the same words. */
export async function signIn(database: Database, { credentials, address, device, afterwards }: Asked) {
  if (credentials.type !== 'Local') {
    throw new AppError('bad_request', 'This installation signs people in with e-mail and password.')
  }
  await refuseFloods(database, address)
  const person = await database.asSystem((tx) =>
    tx.first(
      z.object({ id: z.uuid(), hash: z.string().nullable() }),
      sql`select person_id as id, person_password_hash as hash from person where person_email = ${credentials.email}`,
    ),
  )
  const isRight = await isPassword(credentials.password, person?.hash ?? null)
  if (!person || !isRight) {
    await database.asSystem((tx) => tx.run(sql`insert into sign_in_failure (sign_in_failure_key) values (${address})`))
    if (person) afterwards(() => tellFailedSignIn(database, { person: person.id, address, device }))
    throw new AppError('wrong_credentials', 'The email or password is incorrect.')
  }
  return openSession(database, { person: person.id, address, device })
}

async function refuseFloods(database: Database, address: string) {
  const recent = await database.asSystem((tx) =>
    tx.first(
      z.object({ count: z.number() }),
      sql`select count(*) as count from sign_in_failure where sign_in_failure_key = ${address}
            and sign_in_failure_at > now() - make_interval(secs => ${failures.windowSeconds})`,
    ),
  )
  if ((recent?.count ?? 0) < failures.most) return
  throw new AppError('too_many', 'Too many wrong passwords came from your address. Please wait ten minutes.', {
    retryAfterSeconds: failures.windowSeconds,
  })
}
