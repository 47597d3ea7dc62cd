import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { eventRow } from '../ingest/event-row.ts'
import type { UnitRefused } from '../ingest/refusal.ts'
import { storeEvents } from '../ingest/store-events.ts'

/** The same address refused for the same reason is one event in this time, with a count. */
const quietMs = 60_000
const mostRemembered = 10_000

type Refused = { refusal: UnitRefused; address: string; serial: string | undefined }

/** Tells of units that were refused, to the account of the unit, or of the installation where nobody knows it. */
export class RefusalEvents {
  readonly #database: Database
  readonly #quiet = new Map<string, { until: number; unheard: number }>()

  constructor(database: Database) {
    this.#database = database
  }

  async note({ refusal, address, serial }: Refused) {
    const key = `${address} ${refusal.code}`
    const now = Date.now()
    const known = this.#quiet.get(key)
    if (known && now < known.until) {
      known.unheard++
      return
    }
    if (this.#quiet.size >= mostRemembered) this.#quiet.clear()
    this.#quiet.set(key, { until: now + quietMs, unheard: 0 })
    const again = known?.unheard ? ` ${known.unheard} more before.` : ''
    const name = serial === undefined ? 'A unit' : `The unit ${serial}`
    const detail = `${name} at ${address} was refused, ${refusal.code}: ${refusal.message}${again}`
    await this.#database.asSystem((tx) => store(tx, { unit: refusal.unit, detail }))
  }
}

const placeRow = z.object({ account: z.int(), unit: z.uuid().nullable(), name: z.string().nullable() })

async function store(tx: Transaction, { unit, detail }: { unit: string | undefined; detail: string }) {
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
  const { account, unit: known, name } = place
  const occurredAt = new Date().toISOString()
  await storeEvents(tx, [
    eventRow({ account, unit: known, type: 'unit.refused', occurredAt, data: { names: { unit: name }, detail } }),
  ])
}
