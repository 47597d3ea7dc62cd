import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

/** Fewer doors take no longer than a configuration. */
const many = 100
const lookEveryMs = 100
/** Controllers that are connected have confirmed their modes by then, or do not answer. */
const patienceSeconds = 3

/** How long one compilation may still wait. */
export type Patience = { leftMs: number }

export const fullPatience = (): Patience => ({ leftMs: patienceSeconds * 1_000 })

/**
 * Waits while many connected doors of an account tree have a new mode that they have not confirmed: a lockdown also changes
 * the configurations of their controllers, which can wait, because the modes are sent ahead of them.
 */
export async function letModesPass(tx: Transaction, { root, patience }: { root: number; patience: Patience }) {
  for (; patience.leftMs > 0; patience.leftMs -= lookEveryMs) {
    const row = await tx.first(z.object({ waiting: z.int() }), waitingModes(root))
    if ((row?.waiting ?? 0) < many) return
    await delay(lookEveryMs)
  }
}

function waitingModes(root: number) {
  return sql`select count(*)::int as waiting from (
    select from door join door_state on door_state_id = door_id join account on account_key = door_account
      join unit_state on unit_state_id = door_unit and unit_state_status = 'online'
     where account_root = ${root} and door_mode_version <> door_state_applied_mode_version
       and door_mode_set_at > statement_timestamp() - make_interval(secs => ${patienceSeconds})
     limit ${many}) waiting`
}
