import type { login } from '@portcullis/contract/calls/authentication'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import { isPassword } from '../passwords/password.ts'
import { mfaStanding, owesCode } from '../sessions/mfa-standing.ts'
import { endSession, isSuspended, openSession } from '../sessions/session-store.ts'
import { beginTry } from './sign-in-tries.ts'
import { tellFailedSignIn } from '../sessions/tell-sign-in.ts'

const waitSeconds = 600

type Asked = {
  credentials: z.output<typeof login.input>
  address: string
  device: string | undefined
  /** The hash of the cookie by which the browser is known again. */
  deviceHash: Buffer | undefined
  /** For what may only be done once the answer is on its way, lest its time tell who is known. */
  afterwards: (work: () => Promise<unknown>) => void
}

/**
 * Checks e-mail and password and answers the token of a new session. Whatever is wrong is told in the same words after the same
 * work, whether nobody has the e-mail, or somebody who is suspended, or there were too many tries for it: what is the matter
 * with an account, only its password opens. Too many from one network, or in a browser that is known, are told as that: it says
 * nothing of any account that the browser does not know.
 */
export async function signIn(database: Database, { credentials, address, device, deviceHash, afterwards }: Asked) {
  const { email, password, type } = credentials
  if (type !== 'Local') throw unusable('type', problem('unsupported_sign_in'))
  const person = await findPerson(database, { email, deviceHash })
  const knownDevice = person?.knowsDevice ? deviceHash : undefined
  const { exceeded, forget, succeed } = await beginTry(database, { email, address, knownDevice })
  const isRight = await isPassword(password, person?.hash ?? null)
  const recordFailure = (refusal: { refusal?: 'locked_out' } = {}) => {
    if (person) afterwards(() => tellFailedSignIn(database, { person: person.id, address, device, ...refusal }))
  }
  if (exceeded.size > 0) {
    afterwards(forget)
    recordFailure({ refusal: 'locked_out' })
    throw tooManyTries(exceeded)
  }
  if (!person || !isRight) {
    recordFailure()
    throw wrongCredentials()
  }
  if (person.isSuspended) {
    afterwards(forget)
    throw new AppError('suspended')
  }
  await succeed()
  const token = await admit(database, { person: person.id, address, device })
  // A password that was changed while it was looked at opens nothing; who changes it next ends this session.
  if (await isStill(database, person)) return { person: person.id, token }
  await endSession(database, token)
  throw wrongCredentials()
}

type SignedIn = { person: string; address: string; device: string | undefined }

/**
 * Lets somebody in who has given the right password, and answers the token of their session: one that owes a code, where codes
 * are asked of them.
 */
async function admit(database: Database, signedIn: SignedIn) {
  const standing = await database.asSystem((tx) => mfaStanding(tx, signedIn.person))
  return openSession(database, { ...signedIn, code: owesCode(standing) ? 'owed' : 'none' })
}

const personRow = z.object({
  id: z.uuid(),
  hash: z.string().nullable(),
  knowsDevice: z.boolean(),
  isSuspended: z.boolean(),
})

function findPerson(database: Database, { email, deviceHash }: { email: string; deviceHash: Buffer | undefined }) {
  return database.asSystem((tx) =>
    tx.first(
      personRow,
      sql`select person_id as id, person_password_hash as hash,
             exists (select from known_device where known_device_person = person_id
                        and known_device_token_hash = ${deviceHash ?? null}) as "knowsDevice",
             (${isSuspended}) as "isSuspended"
            from person where person_email = ${email}`,
    ),
  )
}

async function isStill(database: Database, { id, hash }: z.output<typeof personRow>) {
  const same = await database.asSystem((tx) =>
    tx.run(sql`select from person where person_id = ${id} and person_password_hash = ${hash}`),
  )
  return same === 1
}

function tooManyTries(exceeded: ReadonlySet<string>) {
  return exceeded.has('network') || exceeded.has('device') ? tooMany() : wrongCredentials()
}

function wrongCredentials() {
  return new AppError('wrong_credentials')
}

function tooMany() {
  return new AppError(
    'too_many',
    {},
    {
      retryAfterSeconds: waitSeconds,
    },
  )
}
