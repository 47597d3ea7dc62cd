import { activity, confirmIdentity as confirmCall, login, logout } from '@portcullis/contract/calls/authentication'
import type { FastifyInstance } from 'fastify'
import { makeAfterAnswer } from '../http/after-answer.ts'
import { AppError } from '../errors/app-error.ts'
import type { CallRequest, ServeCall } from '../http/serve-call.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import type { MfaDependencies } from '../mfa/prove-code.ts'
import { missingStepOf } from '../sessions/complete-sign-in.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { deviceHash, rememberDevice } from '../sessions/known-device.ts'
import { clearSessionCookie, clearSiteCache, readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { endSession, findSessionPerson } from '../sessions/session-store.ts'
import { currentUserOf } from '../sessions/current-user.ts'
import { signIn } from './sign-in.ts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

type SignInCallOptions = MfaDependencies & Pick<ServeCall, 'serveCall'> & { publicUrl: string | undefined }

/** Signing in and out, and staying signed in. */
export function registerSignInCalls(app: FastifyInstance, dependencies: SignInCallOptions) {
  const { database, serveCall, publicUrl, isMfaRequiredOfHyperUsers } = dependencies
  const afterAnswer = makeAfterAnswer(app)

  // Before the body is read: a failed sign-in ends the session of this browser (specification §4 and §8), whatever it sent.
  app.addHook('preParsing', async (request, reply) => {
    if (request.routeOptions.url !== login.path) return
    const old = readSessionToken(request.cookies, publicUrl)
    if (!old) return
    await endSession(database, old)
    clearSessionCookie({ request, reply, publicUrl })
  })
  serveCall(app, login, answerLogin)

  serveCall(app, logout, async ({ request, reply }) => {
    const token = readSessionToken(request.cookies, publicUrl)
    if (token) await endSession(database, token)
    clearSessionCookie({ request, reply, publicUrl })
    clearSiteCache({ request, reply, publicUrl })
  })

  serveCall(app, activity, async ({ person }) => noteActivity(database, person.session._id))

  serveCall(app, confirmCall, async ({ request, reply, person, input: { password, code } }) => {
    const from = { address: request.ip, device: request.headers['user-agent'] }
    const token = readSessionToken(request.cookies, publicUrl) ?? ''
    const next = await confirmIdentity(dependencies, { person, token, password, code, ...from })
    setSessionCookie({ request, reply, publicUrl }, next)
  })

  async function answerLogin({ request, reply, input: credentials }: CallRequest<typeof login>) {
    const { token, person: signedIn } = await signIn(database, {
      credentials,
      isMfaRequiredOfHyperUsers,
      address: request.ip,
      device: request.headers['user-agent'],
      deviceHash: deviceHash(request.cookies),
      afterwards: (work) => afterAnswer(request, work),
    })
    const person = await findSessionPerson(database, token)
    if (!person) throw new AppError('unauthenticated')
    setSessionCookie({ request, reply, publicUrl }, token)
    await rememberDevice(database, { request, reply, publicUrl, person: signedIn })
    const { enrolled } = await database.asSystem((tx) =>
      mfaStanding(tx, { person: person._id, isMfaRequiredOfHyperUsers }),
    )
    // Email verification comes first; the next sign-in then needs the code.
    const mfa = missingStepOf(person) === 'code'
    return { verified: person.verified, mfa, mfaEnrolled: enrolled, currentUser: currentUserOf(person) }
  }
}

/** Records that the user moved, typed or touched. Returns when their session ends without further activity. */
async function noteActivity(database: Database, session: string) {
  const now = await database.asSystem(async (tx) => {
    tx.send(sql`update session set session_last_activity_at = now()
      where session_id = ${session} and session_id in (select open_session_id from open_session)`)
    return tx.first(
      z.object({ endsAt: z.iso.datetime() }),
      sql`select open_session_ends_at as "endsAt" from open_session where open_session_id = ${session}`,
    )
  })
  if (!now) throw new AppError('session_ended')
  return now
}
