import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'
import { noticeTo } from '../mail/notice-to.ts'

type Told = {
  person: string
  as: 'second_factor_on' | 'second_factor_off' | 'second_factor_reset' | 'recovery_codes_renewed' | 'recovery_code_used'
  /** The name of who did it, where it was not the person. */
  by?: string
}

/** Tells what has changed about somebody's second factor, in the transaction that changes it: as an event, and to them by mail. */
export async function tellSecondFactor(tx: Transaction, { person, as, by }: Told) {
  await noticeTo(tx, person, as)
  const owner = await tx.first(
    z.object({ account: z.int(), name: z.string() }),
    sql`select person_home as account, person_name as name from person where person_id = ${person}`,
  )
  if (!owner) return
  const data = { names: { user: owner.name }, ...(by === undefined ? {} : { detail: by }) }
  await recordChanges(tx, [
    await recordAdministration(tx, { account: owner.account, type: `administration.${as}`, person, data }),
  ])
}
