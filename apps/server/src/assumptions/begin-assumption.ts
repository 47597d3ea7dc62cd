import { type Assumed, assumptionMaxMinutes } from '@portcullis/contract/calls/assume-account'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Access, AccessAccount } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordHistory } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { endOverdueAssumptions } from './end-assumptions.ts'
import { assumption, assumptionColumns } from '../abilities/find-assumption.ts'
import type { From } from '../sessions/tell-sign-in.ts'

type Asked = {
  /** Where the person stands. */
  access: Access
  inside: AccessAccount
  session: string
  reason: string
  from: From
}

/**
 * Keeps with a session that its person acts inside an account and why, and tells it in the log of that account. Begun twice it
 * is the one that is open: requests name the account only, so one reason holds for them.
 */
export function beginAssumption(database: Database, asked: Asked): Promise<Assumed> {
  const { session, inside } = asked
  return database.asSystem(async (tx) => {
    // Two tabs take turns, and a log-out comes before or after.
    const live = await tx.run(
      sql`select from session where session_id = ${session} and session_ended_at is null for update`,
    )
    if (live === 0) throw new AppError('session_ended')
    await endOverdueAssumptions(tx, { session })
    const begun = (await openOf(tx, asked)) ?? (await begin(tx, asked))
    return { ...begun, ref: inside.ref, name: inside.name }
  })
}

function openOf(tx: Transaction, { access, inside, session }: Asked) {
  return tx.first(
    assumption,
    sql`select ${assumptionColumns} from assumption
         where assumption_session = ${session} and assumption_from = ${access.account.key}
           and assumption_account = ${inside.key} and assumption_ended_at is null`,
  )
}

async function begin(tx: Transaction, { access, inside, session, reason, from }: Asked) {
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
    // Who reads the log of a branch may not see the account above by its name.
    after: { from: access.account._id, address: from.address, device, until: begun.until },
    policyVersion: null,
  })
  await recordChanges(tx, [logged])
  return begun
}
