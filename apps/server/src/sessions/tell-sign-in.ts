import type { EventData } from '@portcullis/contract/collections/events'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'

export type From = { address: string; device: string | undefined }
type Told = From & { person: string }
export type Refusal = NonNullable<EventData['refusal']>

/** Tells that somebody has signed in, in the transaction that opens their session. */
export function tellSignIn(tx: Transaction, told: Told) {
  return tellOfPerson(tx, { ...told, as: 'signed_in' })
}

type Done =
  | 'signed_in'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_reset'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'

/** Tells what was done about somebody's sign-in, in the transaction in which it is: `by` names who did it to another. */
export async function tellOfPerson(
  tx: Transaction,
  { person, address, device, as, by }: Told & { as: Done; by?: string },
) {
  const owner = await ownerOf(tx, person)
  if (!owner) return
  const data = { ...dataOf({ name: owner.name, address, device }), ...(by === undefined ? {} : { detail: by }) }
  await recordChanges(tx, [
    await recordAdministration(tx, { account: owner.account, type: `administration.${as}`, person, data }),
  ])
}

/**
 * Tells that somebody tried to and why it failed, once a minute at most for one person, address and reason, however many
 * servers they ask.
 */
export function tellFailedSignIn(
  database: Database,
  { person, address, device, refusal = 'wrong_password' }: Told & { refusal?: Refusal },
) {
  return database.asSystem(async (tx) => {
    // Who waits here would hold a connection: whoever is first tells it for all.
    const turn = await tx.first(
      z.object({ isMine: z.boolean() }),
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`sign-in failed ${refusal} ${person} ${address}`}, 0))
              as "isMine"`,
    )
    if (!turn?.isMine) return
    const owner = await ownerOf(tx, person)
    if (!owner || (await isToldAlready(tx, { person, address, refusal, account: owner.account }))) return
    const data = { ...dataOf({ name: owner.name, address, device }), refusal }
    await recordChanges(tx, [
      await recordAdministration(tx, { account: owner.account, type: 'administration.sign_in_failed', person, data }),
    ])
  })
}

/** Who it is about, and the account that hears of it: their home. */
function ownerOf(tx: Transaction, person: string) {
  return tx.first(
    z.object({ account: z.int(), name: z.string() }),
    sql`select person_home as account, person_name as name from person where person_id = ${person}`,
  )
}

async function isToldAlready(
  tx: Transaction,
  { person, address, refusal, account }: Omit<Told, 'device'> & { refusal: Refusal; account: number },
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
