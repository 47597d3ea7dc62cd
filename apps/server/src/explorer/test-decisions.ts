import type { EventType } from '@portcullis/contract/event-types'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Database } from '../database/database.ts'

type Decision = {
  account: number
  at: string
  door: string | null
  credential: string | null
  outcome: 'granted' | 'denied' | null
  reason: ReasonCode | null
  policyVersion?: number
  category?: 'access' | 'unit'
  type?: EventType
}

/** Stores the event of a decision, as the units' gateway would; returns its id. */
export async function storeDecision(database: Database, decision: Decision) {
  const { account, at, door, credential, outcome, reason, policyVersion, category = 'access' } = decision
  const { type = outcome === 'granted' ? 'access.granted' : 'access.denied' } = decision
  const id = uuidv7()
  await database.asSystem((tx) =>
    tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_outcome,
        event_reason, event_door, event_credential, event_direction, event_occurred_at, event_policy_version, event_data)
      values (${id}, ${account}, ${type}, ${category}, 'info', ${outcome}, ${reason}, ${door}::uuid, ${credential}::uuid,
        'entry', ${at}, ${policyVersion ?? null}::bigint, ${JSON.stringify({ names: {}, unitReason: reason })}::json)`),
  )
  return id
}

/** This moment; changes before and after it have other milliseconds. */
export async function testMoment() {
  const start = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(start)
  const at = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(at)
  return new Date(at).toISOString()
}
