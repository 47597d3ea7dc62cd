import type { EventNote } from '@portcullis/contract/event-notes'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { networkOf } from '../http/client-network.ts'
import { eventRow } from '../ingest/event-row.ts'
import type { UnitRefused } from '../ingest/refusal.ts'
import { storeEvents } from '../ingest/store-events.ts'

/** The same network refused for the same reason is one event in this time, with a count. */
const quietMs = 60_000
const maxRemembered = 10_000
/** Beyond this many events in that time, over all networks, the rest is one event with their number. */
const maxEvents = 60

export type Refused = { refusal: UnitRefused; address: string; serial: string | undefined }

/** Reports units that were refused, to the unit's account, or to the installation's where the unit is unknown. */
export class RefusalEvents {
  readonly #database: Database
  readonly #quiet = new Map<string, { until: number; repeats: number }>()
  #minute = { until: 0, events: 0, uncounted: 0 }

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns whether it stored an event. */
  async note({ refusal, address, serial }: Refused) {
    const key = `${networkOf(address)} ${refusal.code}`
    const now = Date.now()
    const recent = this.#quiet.get(key)
    if (recent && now < recent.until) {
      recent.repeats++
      return false
    }
    const isSummed = await this.sum()
    if (this.#minute.events >= maxEvents) {
      this.#minute.uncounted++
      return isSummed
    }
    this.#minute.events++
    const [oldest] = this.#quiet.keys()
    if (this.#quiet.size >= maxRemembered && oldest !== undefined) this.#quiet.delete(oldest)
    this.#quiet.set(key, { until: now + quietMs, repeats: 0 })
    const note: EventNote = {
      code: 'connection_refused',
      refusal: refusal.code,
      address,
      serial: serial ?? null,
      repeated: recent?.repeats ?? 0,
    }
    await this.#database.asSystem((tx) => store(tx, { unit: refusal.unit, note }))
    return true
  }

  /** Stores the number of refusals beyond the limit once their minute is over; returns whether there were any. */
  async sum() {
    if (Date.now() < this.#minute.until) return false
    const { uncounted } = this.#minute
    this.#minute = { until: Date.now() + quietMs, events: 0, uncounted: 0 }
    if (uncounted === 0) return false
    const note: EventNote = { code: 'connections_refused', count: uncounted }
    await this.#database.asSystem((tx) => store(tx, { unit: undefined, note }))
    return true
  }
}

const placeRow = z.object({ account: z.int(), unit: z.uuid().nullable(), name: z.string().nullable() })

async function store(tx: Transaction, { unit, note }: { unit: string | undefined; note: EventNote }) {
  const place =
    (await tx.first(
      placeRow,
      sql`select unit_account as account, unit_id as unit, unit_name as name from unit where unit_id = ${unit ?? null}`,
    )) ??
    (await tx.first(
      placeRow,
      sql`select account_key as account, null as unit, null as name from account
           where account_parent is null order by account_key limit 1`,
    ))
  if (!place) return
  const { account, unit: unitId, name } = place
  const occurredAt = new Date().toISOString()
  storeEvents(tx, [
    eventRow({ account, unit: unitId, type: 'unit.refused', occurredAt, data: { names: { unit: name }, note } }),
  ])
}
