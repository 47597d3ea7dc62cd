import { type CurrentUser, currentUser, whoAmI as whoAmICall } from '@portcullis/contract/calls/authentication'
import { changePassword as changePasswordCall, patchMe as patchMeCall } from '@portcullis/contract/calls/own-account'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  endOtherSessions as endOthersCall,
  endOwnSession as endCall,
  ownSessions as sessionsCall,
  type OwnSignIn,
  ownSignIns as signInsCall,
} from '@portcullis/contract/calls/own-sessions'
import { type EventData, eventData } from '@portcullis/contract/collections/events'
import { demandUnchanged } from '../collections/patch.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { changeOwnPerson } from './own-person.ts'
import { type SessionPerson, stepUp } from '../sessions/session-store.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { countAttempt } from '../sessions/count-attempt.ts'
import { demandStrongPassword } from '../passwords/demand-strong-password.ts'
import { hashPassword, isPassword } from '../passwords/password.ts'
import { setPassword } from '../passwords/set-password.ts'
import { type From, recordUserEvent } from '../sessions/record-sign-in.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { whoAmI, type WhoAmIOptions } from './who-am-i.ts'

type OwnAccountCallOptions = Pick<ServeCall, 'serveCall' | 'serveIdentifyingCall'> &
  WhoAmIOptions & { publicUrl: string | undefined }

/** The calls about the user's own data: name and consent, password, sessions. */
export function registerOwnAccountCalls(
  app: FastifyInstance,
  { database, serveCall, serveIdentifyingCall, publicUrl, ...identities }: OwnAccountCallOptions,
) {
  const me = (request: FastifyRequest, person?: SessionPerson) =>
    whoAmI({ database, ...identities }, { request, person })
  registerOwnSessionCalls(app, { database, serveCall })

  serveIdentifyingCall(app, whoAmICall, async ({ request, person }) => me(request, person))

  serveCall(app, patchMeCall, async ({ request, person, input: changes }) => {
    // A user who is refused in the account of the header changes nothing.
    const { user } = await me(request)
    await patchMe(database, { person: person._id, requestId: request.id, current: user, changes })
    return me(request)
  })

  serveCall(app, changePasswordCall, async ({ request, reply, person, path: { id }, input }) => {
    if (id !== 'me' && id !== person._id) {
      throw new AppError('others_password')
    }
    const token = readSessionToken(request.cookies, publicUrl) ?? ''
    const from = { address: request.ip, device: request.headers['user-agent'] }
    const next = await changePassword(database, { ...input, ...from, person, token })
    if (next !== undefined) setSessionCookie({ request, reply, publicUrl }, next)
  })
}

type PatchMeInput = {
  person: string
  requestId: string
  current: CurrentUser
  changes: z.output<typeof patchMeCall.input>
}

/** Changes the user's own name or language. The policies sent with another date than was read are accepted now. */
async function patchMe(database: Database, { person, requestId, current, changes }: PatchMeInput) {
  const { name, language, consent = {}, ...asRead } = changes
  demandUnchanged(asRead, current)
  await database.asSystem(async (tx) => {
    if (name !== undefined) await changeOwnPerson(tx, { person, requestId, changes: { name } })
    if (language !== undefined) {
      await tx.run(sql`update person set person_language = ${language} where person_id = ${person}`)
    }
    const now = new Date().toISOString()
    const accepted = policies.filter(
      (policy) => consent[policy] !== undefined && consent[policy] !== current.consent[policy],
    )
    if (accepted.length === 0) return
    const dates = Object.fromEntries(accepted.map((policy) => [policy, now]))
    await tx.run(sql`update person set person_consent = person_consent || ${JSON.stringify(dates)}::jsonb
      where person_id = ${person}`)
  })
}

const policies = currentUser.shape.consent.keyof().options

type ChangePasswordInput = z.output<typeof changePasswordCall.input> & From & { person: SessionPerson; token: string }

/**
 * Changes the user's own password. All other sessions end, and this one gets a new token, which is returned; undefined
 * if another request of the same session got it first.
 */
async function changePassword(
  database: Database,
  { person, token, oldPassword, newPassword, ...from }: ChangePasswordInput,
) {
  const { _id: id, session } = person
  await countAttempt(database, session._id)
  const current = await database.asSystem((tx) => tx.first(hashRow, hashOf(id)))
  if (!current?.hash || !(await isPassword(oldPassword, current.hash))) {
    throw new AppError('wrong_credentials')
  }
  if (oldPassword.normalize('NFC') === newPassword.normalize('NFC')) {
    throw new AppError('same_password', {}, { at: ['newPassword'] })
  }
  await demandStrongPassword({ password: newPassword, field: 'newPassword', owner: person })
  const hash = await hashPassword(newPassword)
  return database.asSystem(async (tx) => {
    const locked = await tx.first(hashRow, sql`${hashOf(id)} for no key update`)
    if (locked?.hash !== current.hash) throw new AppError('conflict')
    await setPassword(tx, { person: id, hash, keeping: session._id })
    await queueNotice(tx, id, 'password_changed')
    const next = await stepUp(tx, { token, old: 'ends', code: 'as before' })
    await recordUserEvent(tx, { ...from, person: id, as: 'password_changed' })
    return next
  })
}

const hashRow = z.object({ hash: z.string().nullable() })

function hashOf(person: string) {
  return sql`select person_password_hash as hash from person where person_id = ${person}`
}

type SessionCallOptions = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The sessions of the current user, and the attempts to sign in. */
function registerOwnSessionCalls(app: FastifyInstance, { database, serveCall }: SessionCallOptions) {
  serveCall(app, sessionsCall, async ({ person }) => ownSessions(database, person))

  serveCall(app, endCall, async ({ person, path: { id } }) => endOwnSession(database, { person: person._id, id }))

  serveCall(app, endOthersCall, async ({ person }) => ({ ended: await endOtherSessions(database, person) }))

  serveCall(app, signInsCall, async ({ person }) => ownSignIns(database, person._id))
}

const maxShown = 100

const row = z.object({ at: z.iso.datetime(), type: z.string(), data: eventData })

/** The latest attempts to sign in as a user, newest first, from the events of their home account. */
async function ownSignIns(database: Database, person: string): Promise<OwnSignIn[]> {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      row,
      sql`select event_occurred_at as at, event_type as type, event_data as data
            from event
           where event_account = (select person_home from person where person_id = ${person}) and event_user = ${person}
             and event_type in ('administration.signed_in', 'administration.sign_in_failed')
           order by event_occurred_at desc, event_id desc limit ${maxShown}`,
    ),
  )
  return rows.map(({ at, type, data }) => ({
    at,
    outcome: type === 'administration.signed_in' ? 'signed_in' : failureOf(data),
    address: data.address ?? null,
    device: data.device ?? null,
  }))
}

function failureOf({ refusal = 'wrong_password' }: EventData) {
  return refusal
}
