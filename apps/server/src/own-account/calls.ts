import { whoAmI as whoAmICall } from '@portcullis/contract/calls/authentication'
import {
  changePassword as changePasswordCall,
  patchMe as patchMeCall,
  type patchMe as contract,
} from '@portcullis/contract/calls/own-account'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { readSessionToken, setSessionCookie } from '../sessions/session-cookie.ts'
import { changePassword } from './change-password.ts'
import { registerOwnSessionCalls } from './own-session-calls.ts'
import { whoAmI } from './who-am-i.ts'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import { changeOwnPerson } from './own-person.ts'

type Parts = Pick<ServeCall, 'serveCall'> & {
  database: Database
  accessOf: AccessOf
  personOf: PersonOf
  publicUrl: string | undefined
}

/** What users see and change of themselves: their name and consent, their password, their sessions. */
export function registerOwnAccountCalls(
  app: FastifyInstance,
  { database, serveCall, accessOf, personOf, publicUrl }: Parts,
) {
  registerOwnSessionCalls(app, { database, serveCall })

  serveCall(app, whoAmICall, async ({ request, person }) => whoAmI({ database, accessOf }, { request, person }))

  serveCall(app, patchMeCall, async ({ request, person, input: changes }) => {
    // A user who is refused in the account of the header changes nothing.
    await whoAmI({ database, accessOf }, { request, person })
    await patchMe(database, { person: person._id, requestId: request.id, changes })
    return whoAmI({ database, accessOf }, { request, person: await personOf(request) })
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

type Asked = { person: string; requestId: string; changes: z.output<typeof contract.input> }

/** Changes one's own name; policies that are named are accepted now, whatever date was sent. */
function patchMe(database: Database, { person, requestId, changes: { name, consent = {} } }: Asked) {
  return database.asSystem(async (tx) => {
    if (name !== undefined) await changeOwnPerson(tx, { person, requestId, changes: { name } })
    const now = new Date().toISOString()
    const accepted = Object.fromEntries(Object.keys(consent).map((policy) => [policy, now]))
    if (Object.keys(accepted).length === 0) return
    await tx.run(sql`update person set person_consent = person_consent || ${JSON.stringify(accepted)}::jsonb
      where person_id = ${person}`)
  })
}
