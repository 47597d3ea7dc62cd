import type { login } from '@portcullis/contract/calls/authentication'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import { isPassword } from '../passwords/password.ts'
import { type MfaPolicy, mfaStanding, owesCode } from '../sessions/mfa-standing.ts'
import { endSession, isSuspended, openSession } from '../sessions/session-store.ts'
import { beginAttempt } from './sign-in-attempts.ts'
import { recordFailedSignIn } from '../sessions/record-sign-in.ts'

const waitSeconds = 600

type SignInInput = MfaPolicy & {
  credentials: z.output<typeof login.input>
  address: string
  device: string | undefined
  /** The hash of the browser's device cookie. */
  deviceHash: Buffer | undefined
  /** Defers work until the answer is sent, so that its duration does not reveal which emails exist. */
  afterwards: (work: () => Promise<unknown>) => void
}

/**
 * Checks email and password, and returns the token of a new session. An unknown email, a suspended user and too many
 * attempts for one email all get the same answer after the same work: only the right password reveals the state of a
 * user. Too many attempts from one network, or in a known browser, get their own answer, which reveals nothing about
 * other users.
 */
export async function signIn(
  database: Database,
  { credentials, address, device, deviceHash, isMfaRequiredOfHyperUsers, afterwards }: SignInInput,
) {
  const { email, password, type } = credentials
  if (type !== 'Local') throw unusable('type', problem('unsupported_sign_in'))
  const person = await findPerson(database, { email, deviceHash })
  const knownDevice = person?.knowsDevice ? deviceHash : undefined
  const { exceeded, forget, succeed } = await beginAttempt(database, { email, address, knownDevice })
  const isRight = !isRefusedAnyway(exceeded) && (await isPassword(password, person?.hash ?? null))
  const recordFailure = (refusal: { refusal?: 'locked_out' } = {}) => {
    if (person) afterwards(() => recordFailedSignIn(database, { person: person.id, address, device, ...refusal }))
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
  const token = await openSessionFor(database, { person: person.id, isMfaRequiredOfHyperUsers, address, device })
  // A password changed during the check does not sign in; a later change ends this session.
  if (await isUnchanged(database, person)) return { person: person.id, token }
  await endSession(database, token)
  throw wrongCredentials()
}

type SignedIn = MfaPolicy & { person: string; address: string; device: string | undefined }

/**
 * Opens a session after the right password, and returns its token. The session owes a code if the user needs one.
 */
async function openSessionFor(database: Database, signedIn: SignedIn) {
  const standing = await database.asSystem((tx) => mfaStanding(tx, signedIn))
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

async function isUnchanged(database: Database, { id, hash }: z.output<typeof personRow>) {
  const same = await database.asSystem((tx) =>
    tx.run(sql`select from person where person_id = ${id} and person_password_hash = ${hash}`),
  )
  return same === 1
}

function tooManyTries(exceeded: ReadonlySet<string>) {
  return isRefusedAnyway(exceeded) ? tooMany() : wrongCredentials()
}

/** Whether the answer does not depend on the password. Too many attempts for an email look and last like a wrong password. */
function isRefusedAnyway(exceeded: ReadonlySet<string>) {
  return exceeded.has('network') || exceeded.has('device')
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
