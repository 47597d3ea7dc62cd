import type { EventData } from '@portcullis/contract/collections/events'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'

export type From = { address: string; device: string | undefined }
type SignInOrigin = From & { person: string }
export type Refusal = NonNullable<EventData['refusal']>

/** Records a sign-in, in the transaction that opens the session. */
export function recordSignIn(tx: Transaction, signIn: SignInOrigin) {
  return recordUserEvent(tx, { ...signIn, as: 'signed_in' })
}

type UserEvent =
  | 'signed_in'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_reset'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'

/** Records a change of a user's sign-in, in the transaction that makes it; `by` names another user who made it. */
export async function recordUserEvent(
  tx: Transaction,
  { person, address, device, as, by }: SignInOrigin & { as: UserEvent; by?: string },
) {
  const owner = await ownerOf(tx, person)
  if (!owner) return
  const data = { ...dataOf({ name: owner.name, address, device }), ...(by === undefined ? {} : { detail: by }) }
  await recordChanges(tx, [
    await recordAdministration(tx, { account: owner.account, type: `administration.${as}`, person, data }),
  ])
}

/**
 * Records a failed sign-in and its reason, at most once a minute for one user, address and reason across all servers.
 */
export function recordFailedSignIn(
  database: Database,
  { person, address, device, refusal = 'wrong_password' }: SignInOrigin & { refusal?: Refusal },
) {
  return database.asSystem(async (tx) => {
    // Does not wait for the lock, which would hold a connection: the attempt that has it records for all.
    const lock = await tx.first(
      z.object({ isLocked: z.boolean() }),
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`sign-in failed ${refusal} ${person} ${address}`}, 0))
              as "isLocked"`,
    )
    if (!lock?.isLocked) return
    const owner = await ownerOf(tx, person)
    if (!owner || (await isRecordedAlready(tx, { person, address, refusal, account: owner.account }))) return
    const data = { ...dataOf({ name: owner.name, address, device }), refusal }
    await recordChanges(tx, [
      await recordAdministration(tx, { account: owner.account, type: 'administration.sign_in_failed', person, data }),
    ])
  })
}

/** The user's name and home account, which gets the event. */
function ownerOf(tx: Transaction, person: string) {
  return tx.first(
    z.object({ account: z.int(), name: z.string() }),
    sql`select person_home as account, person_name as name from person where person_id = ${person}`,
  )
}

async function isRecordedAlready(
  tx: Transaction,
  { person, address, refusal, account }: Omit<SignInOrigin, 'device'> & { refusal: Refusal; account: number },
) {
  const recent = await tx.run(
    sql`select from event
         where event_account = ${account} and event_user = ${person} and event_occurred_at > now() - interval '1 minute'
           and event_type = 'administration.sign_in_failed' and event_data ->> 'address' = ${address}
           and event_data ->> 'refusal' = ${refusal} limit 1`,
  )
  return recent > 0
}

function dataOf({ name, address, device }: { name: string; address: string; device: string | undefined }): EventData {
  return { names: { user: name }, address, ...(device === undefined ? {} : { device: device.slice(0, 300) }) }
}
