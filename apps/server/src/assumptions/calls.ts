import {
  assumeAccount as assumeCall,
  type Assumed,
  assumptionMaxMinutes,
  endAssumption as endCall,
} from '@portcullis/contract/calls/assume-account'
import type { FastifyInstance } from 'fastify'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Access, AccessAccount } from '../abilities/access.ts'
import { assumeAccount } from '../abilities/resolve-access.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { endAssumption, endOverdueAssumptions } from './end-assumptions.ts'
import { recordChanges } from '../changes/record-change.ts'
import { recordHistory } from '../history/record-history.ts'
import { assumption, assumptionColumns } from '../abilities/find-assumption.ts'
import type { From } from '../sessions/record-sign-in.ts'

type AssumeCallOptions = Pick<ServeCall, 'serveCall'> & { database: Database; personOf: PersonOf }

/** Acting inside an account below the current one, for hyper users with a reason. */
export function registerAssumeCalls(app: FastifyInstance, { database, serveCall, personOf }: AssumeCallOptions) {
  serveCall(app, assumeCall, {
    demand: accountInside,
    handle: async ({ request, access, path, input }) => {
      const { session } = await personOf(request)
      const { upward: _above, subtree: _below, ...inside } = await accountInside({ access, path })
      const from = { address: request.ip, device: request.headers['user-agent'] }
      return beginAssumption(database, { access, inside, session: session._id, reason: input.reason, from })
    },
  })

  serveCall(app, endCall, async ({ request, access, path }) => {
    demandOutside(access)
    const { session } = await personOf(request)
    const input = { session: session._id, from: access.account.key, account: path.id, requestId: request.id }
    return { seconds: await endAssumption(database, input) }
  })

  async function accountInside({ access, path }: { access: Access; path: { id: string } }) {
    demandOutside(access)
    const current = { key: access.account.key, subtree: access.subtree }
    return assumeAccount(database, { person: access.person, current, requested: path.id })
  }
}

function demandOutside({ assumed }: Access) {
  if (assumed) throw new AppError('already_acting')
}

type BeginAssumptionInput = {
  /** The account in which the user is. */
  access: Access
  inside: AccessAccount
  session: string
  reason: string
  from: From
}

/**
 * Stores with a session that its user acts inside an account and why, and records it in that account's log. A second
 * start returns the open one: requests name only the account, so one reason applies to them.
 */
function beginAssumption(database: Database, input: BeginAssumptionInput): Promise<Assumed> {
  const { session, inside } = input
  return database.asSystem(async (tx) => {
    // The lock serialises concurrent starts and a sign-out.
    const live = await tx.run(
      sql`select from session where session_id = ${session} and session_ended_at is null for update`,
    )
    if (live === 0) throw new AppError('session_ended')
    await endOverdueAssumptions(tx, { session })
    const begun = (await openOf(tx, input)) ?? (await begin(tx, input))
    return { ...begun, ref: inside.ref, name: inside.name }
  })
}

function openOf(tx: Transaction, { access, inside, session }: BeginAssumptionInput) {
  return tx.first(
    assumption,
    sql`select ${assumptionColumns} from assumption
         where assumption_session = ${session} and assumption_from = ${access.account.key}
           and assumption_account = ${inside.key} and assumption_ended_at is null`,
  )
}

async function begin(tx: Transaction, { access, inside, session, reason, from }: BeginAssumptionInput) {
  const device = from.device?.slice(0, 300) ?? null
  const begun = assumption.parse(
    await tx.first(
      assumption,
      sql`insert into assumption (assumption_id, assumption_session, assumption_person, assumption_from,
            assumption_account, assumption_reason, assumption_address, assumption_device, assumption_until)
          values (${uuidv7()}, ${session}, ${access.person._id}, ${access.account.key}, ${inside.key}, ${reason},
            ${from.address}, ${device}, now() + make_interval(mins => ${assumptionMaxMinutes}))
          returning ${assumptionColumns}`,
    ),
  )
  const logged = await recordHistory(tx, {
    id: begun._id,
    access: { ...access, assumed: { ...inside, assumption: begun } },
    account: inside.key,
    collection: accounts.name,
    item: null,
    action: 'assume',
    before: null,
    // Readers of a branch's log may not see the name of the account above.
    after: { from: access.account._id, address: from.address, device, until: begun.until },
    policyVersion: null,
  })
  await recordChanges(tx, [logged])
  return begun
}
