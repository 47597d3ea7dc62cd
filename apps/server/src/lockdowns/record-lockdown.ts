import type { EventNote } from '@portcullis/contract/event-notes'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'
import type { LockedDoor } from './doors-of-plan.ts'

export type LockdownCause = Extract<EventNote, { code: 'lockdown' }>['by']

type RecordLockdownInput = {
  type: 'administration.lockdown_started' | 'administration.lockdown_ended'
  lockdown: { account: number; name: string }
  /** Null for a lockdown that ends by itself. */
  person: { _id: string | null; name: string | null }
  by: LockdownCause
  doors: readonly LockedDoor[]
}

/**
 * Stores the start or the end of a lockdown as an event of its account, and of each account below with some of its doors.
 * Returns the changes for the outbox.
 */
export function recordLockdown(
  tx: Transaction,
  { type, lockdown, person, by, doors }: RecordLockdownInput,
): Promise<Change[]> {
  const counts = new Map([[lockdown.account, doors.length]])
  for (const { account } of doors) {
    if (account !== lockdown.account) counts.set(account, (counts.get(account) ?? 0) + 1)
  }
  const events = [...counts].map(([account, count]) => {
    const note = { code: 'lockdown', plan: lockdown.name, doors: count, by } as const
    const data = { names: { user: person.name }, note }
    return recordAdministration(tx, { account, type, person: person._id, data })
  })
  return Promise.all(events)
}
