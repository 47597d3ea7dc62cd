import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { closedLoop } from './drive.ts'
import { databaseMs } from './processor-time.ts'

/** The number of database connections of the gateway. */
const bareConnections = 16

/** Of one run; the waits are in ms, from sending a frame to its acknowledgement. */
export type Measured = {
  rate: number
  serverMs: number
  databaseMs: number
  waits: readonly number[]
  edited: number
  commits: readonly number[]
}

type SteadyRate = {
  senders: number
  perFrame: number
  rate: number
  forMs: number
  send: (sender: number) => Promise<void>
}

/** Each sender sends its frames at fixed times, whether or not the last was acknowledged. */
export async function atSteadyRate({ senders, perFrame, rate, forMs, send }: SteadyRate) {
  const everyMs = (senders * perFrame * 1_000) / rate
  const began = performance.now()
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const frames: Promise<void>[] = []
      const first = (sender * everyMs) / senders
      for (let dueMs = first; dueMs < forMs; dueMs += everyMs) {
        await delay(Math.max(0, began + dueMs - performance.now()))
        frames.push(send(sender))
      }
      await Promise.all(frames)
    }),
  )
}

type BareIngest = {
  connectionString: string
  owner: pg.Client
  units: number
  perFrame: number
  /** Events a second of the second measurement. */
  rate: number
  forMs: number
}

/** The baseline: `pg` alone inserts the stored events under new ids, one transaction per frame. */
export async function measureBareIngest({ connectionString, owner, units, perFrame, rate, forMs }: BareIngest) {
  const { rows } = await owner.query<{ event: Record<string, unknown> }>(
    `select to_jsonb(event) - 'event_log' as event from event where event_log is not null limit 5000`,
  )
  const pool = new pg.Pool({ connectionString, max: bareConnections })
  const text = 'insert into event select * from json_populate_recordset(null::event, $1::json)'
  let next = 0
  const insert = () => {
    const frame = Array.from({ length: perFrame }, () => ({
      ...rows[(next += 1) % rows.length]?.event,
      event_id: uuidv7(),
    }))
    return pool.query({ name: 'bare', text, values: [JSON.stringify(frame)] })
  }
  const measure = async (work: (send: () => Promise<void>) => Promise<unknown>): Promise<Measured> => {
    const waits: number[] = []
    const [database, own, began] = [await databaseMs(owner), process.cpuUsage(), performance.now()]
    await work(async () => {
      const since = performance.now()
      await insert()
      waits.push(performance.now() - since)
    })
    const tookMs = performance.now() - began
    const { user, system } = process.cpuUsage(own)
    const events = waits.length * perFrame
    return {
      rate: (events * 1_000) / tookMs,
      serverMs: (user + system) / 1_000 / events,
      databaseMs: ((await databaseMs(owner)) - database) / events,
      waits,
      edited: 0,
      commits: [],
    }
  }
  const fast = (ms: number) => (send: () => Promise<void>) =>
    closedLoop({ connections: bareConnections, forMs: ms, once: send })
  await fast(1_000)(async () => void (await insert()))
  const fastest = await measure(fast(forMs))
  const steady = await measure((send) => atSteadyRate({ senders: units, perFrame, rate, forMs, send }))
  await pool.end()
  return { fastest, steady }
}
