import { brandOf } from '@portcullis/contract/brands'
import * as contract from '@portcullis/contract/calls/mfa'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServeCall } from '../http/serve-call.ts'
import { AppError } from '../errors/app-error.ts'
import { countAttempt } from '../sessions/count-attempt.ts'
import { currentUserOf } from '../sessions/current-user.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { findSessionPerson, type SessionPerson, stepUp } from '../sessions/session-store.ts'
import { type From, recordSignIn } from '../sessions/record-sign-in.ts'
import { setCodesAtSignIn, makeRecoveryCodes, resetSecondFactor } from './change-second-factor.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import { type MfaDependencies, proveCode, wrongCode } from './prove-code.ts'
import sql from 'sql-template-tag'
import { toDataURL } from 'qrcode'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { keyText, keyUri, makeKey, stepOfCode } from './one-time-code.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { recordSecondFactorChange } from './record-second-factor-change.ts'

type MfaCallOptions = MfaDependencies & Pick<ServeCall, 'serveCall'> & { publicUrl: string | undefined }

/** The second factor: its step of a sign-in, its setup and its changes. */
export function registerMfaCalls(app: FastifyInstance, dependencies: MfaCallOptions) {
  const { database, serveCall, publicUrl, secrets, now, isMfaRequiredOfHyperUsers } = dependencies

  serveCall(app, contract.mfaSignIn, async ({ request, reply, person: before, input: proof }) => {
    await countAttempt(database, before.session._id)
    const attempt = { person: before._id, proof, ...fromOf(request) }
    const { owesCode } = before.session
    const token = await proveCode(dependencies, attempt, async (tx) => {
      const next = await stepUp(tx, {
        token: readSessionToken(request.cookies, publicUrl) ?? '',
        old: owesCode ? 'ends' : 'overlaps',
        code: 'given',
      })
      if (next === undefined) throw sessionEnded()
      if (owesCode) await recordSignIn(tx, attempt)
      return next
    })
    setSessionCookie({ request, reply, publicUrl }, token)
    const person = await findSessionPerson(database, token)
    if (!person) throw sessionEnded()
    return { verified: person.verified, mfa: false, mfaEnrolled: true, currentUser: currentUserOf(person) }
  })

  serveCall(app, contract.mfaSetUp, async ({ request, reply, person }) => {
    await demandSetUp(person)
    reply.header('cache-control', 'no-store')
    return beginSetUp(database, { person, issuer: brandOf(request.headers.host).product, secrets })
  })

  serveCall(app, contract.mfaEnrol, {
    demand: ({ person }) => demandSetUp(person),
    async handle({ request, reply, person, input: { code } }) {
      await countAttempt(database, person.session._id)
      const attempt = { person: person._id, code, secrets, now: now(), ...fromOf(request) }
      const recoveryCodes = await completeSetUp(database, attempt)
      if (!recoveryCodes) throw wrongCode()
      reply.header('cache-control', 'no-store')
      return { recoveryCodes }
    },
  })

  serveCall(app, contract.enableMfa, ({ request, person }) =>
    setCodesAtSignIn(dependencies, { person: person._id, isRequired: 'yes', ...fromOf(request) }),
  )

  serveCall(app, contract.disableMfa, ({ request, person }) =>
    setCodesAtSignIn(dependencies, { person: person._id, isRequired: 'no', ...fromOf(request) }),
  )

  serveCall(app, contract.renewRecoveryCodes, async ({ request, reply, person }) => {
    reply.header('cache-control', 'no-store')
    return { recoveryCodes: await makeRecoveryCodes(dependencies, { person: person._id, ...fromOf(request) }) }
  })

  serveCall(app, contract.resetMfa, ({ request, access, path: { id } }) =>
    resetSecondFactor(database, { access, id, ...fromOf(request) }),
  )

  /** A user who signs in sets up a first authenticator app only; any other user needs a fresh sign-in. */
  async function demandSetUp(person: SessionPerson) {
    if (!person.session.owesCode) return requireFreshSignIn(person.session)
    const { enrolled } = await database.asSystem((tx) =>
      mfaStanding(tx, { person: person._id, isMfaRequiredOfHyperUsers }),
    )
    if (enrolled) throw new AppError('code_owed')
  }
}

function fromOf({ ip, headers }: FastifyRequest): From {
  return { address: ip, device: headers['user-agent'] }
}

function sessionEnded() {
  return new AppError('session_ended')
}

type BeginSetUpInput = { person: { _id: string; email: string }; issuer: string; secrets: MfaSecrets }

/** Makes a pending key for an authenticator app, replacing an earlier pending one; the enrolled key stays valid. */
async function beginSetUp(database: Database, { person, issuer, secrets }: BeginSetUpInput) {
  const key = makeKey()
  const sealed = secrets.sealKey(key, person._id)
  await database.asSystem((tx) =>
    tx.run(sql`insert into mfa (mfa_person, mfa_pending_key) values (${person._id}, ${sealed})
      on conflict (mfa_person) do update set mfa_pending_key = excluded.mfa_pending_key`),
  )
  const uri = keyUri({ key, issuer, email: person.email })
  return { qrImage: await toDataURL(uri, { errorCorrectionLevel: 'M', margin: 2, width: 240 }), key: keyText(key) }
}

type CompleteSetUpInput = From & { person: string; code: string; secrets: MfaSecrets; now: number }

/**
 * Enrols the authenticator app that shows this code, and returns the recovery codes, or undefined if the code is wrong.
 */
function completeSetUp(database: Database, { person, code, secrets, now, ...from }: CompleteSetUpInput) {
  return database.asSystem(async (tx) => {
    const pending = await tx.first(
      z.object({ key: z.instanceof(Buffer) }),
      sql`select mfa_pending_key as key from mfa where mfa_person = ${person} and mfa_pending_key is not null`,
    )
    const step = pending && stepOfCode({ key: secrets.openKey(pending.key, person), code, now })
    if (step === undefined) return undefined
    const enrolled = await tx.run(sql`update mfa
      set mfa_key = mfa_pending_key, mfa_pending_key = null, mfa_is_asked = true, mfa_tries = 0,
          mfa_last_step = ${step}, mfa_spare_step = ${step}
      where mfa_person = ${person} and mfa_pending_key = ${pending?.key}`)
    if (enrolled === 0) return undefined
    await recordSecondFactorChange(tx, { ...from, person, as: 'second_factor_on' })
    return renewRecoveryCodes(tx, { secrets, person })
  })
}
