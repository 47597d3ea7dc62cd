import type { EventNote } from '@portcullis/contract/event-notes'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { Policies } from '../policy/policies.ts'
import { confirmByRecord } from '../commands/command-status.ts'
import { updateDoorStates } from './door-states.ts'
import { delayOf, type EventDelay, noDelay } from './event-delay.ts'
import { type EventRow, eventRow } from './event-row.ts'
import type { AccessRecord, EarlierConfigs, ExplainEarlier } from './earlier-configs.ts'
import { frameOf, type OpenFrame } from './open-frame.ts'
import { readIngestContext } from './ingest-context.ts'
import { numberedRecords } from './numbered-records.ts'
import { addNames, type NumberedRecord, recordEvents } from './record-events.ts'
import { UnitRefused } from './refusal.ts'
import { storeEvents } from './store-events.ts'
import { storeLockdownCards } from './store-lockdown-cards.ts'
import { storePassages } from './store-passages.ts'

type IngestOptions = {
  database: Database
  policies: Pick<Policies, 'ofAccountAt'>
  earlierConfigs: Pick<EarlierConfigs, 'explainer'>
  now: () => number
  /** Waits for a turn to store, fair between keys. */
  storeInTurn?: <T>(key: string, store: () => Promise<T>) => Promise<T>
}
type Frame = {
  unit: string
  /** The account that the unit had last, if it is known. */
  account?: number | undefined
  logId: string
  records: readonly { seq: number; body?: unknown }[]
  clockOffsetMs: number | null
}

type Stored = { upTo: number; delay: EventDelay }
/** The policy that the records need, if it differs from the given one. */
type OtherPolicy = { account: number; version: number }
/** The records that earlier configurations of the unit explain. */
type Unexplained = { unexplained: readonly AccessRecord[] }

/** If the policy cannot be brought up to date in time, the records are resolved by an earlier version. */
const maxTries = 3
/** A unit that moves to another account each time gets an error, and sends the frame again later. */
const maxMoves = 10

/**
 * Stores the records of a frame that the server does not have yet, exactly once even if they are sent again. Returns
 * the acknowledged sequence, up to which the unit may delete its records, the delay of the events, and the unit's account.
 * Usually takes one round trip that locks the acknowledged sequence, so that two connections of one unit cannot interleave, and
 * reads all that the events need, and one that writes and commits. Where earlier configurations explain records, nothing is
 * stored at first: the server reads them without the lock, and the frame starts again.
 */
export async function ingest(
  { database, policies, earlierConfigs, now, storeInTurn = (_key, store) => store() }: IngestOptions,
  frame: Frame,
) {
  const { unit } = frame
  const records = await numberedRecords(frame.records)
  const begunAt = performance.now()
  let account = frame.account ?? (await accountOf(database, unit))
  let version = 0
  let explain: ExplainEarlier | undefined
  for (let tries = 1; tries <= maxMoves; tries++) {
    // Outside the transaction: bringing a policy up to date can take a moment, and loading it longer.
    const policy = await policies.ofAccountAt(account, version)
    // The index may be newer at that time: changes that were committed after the frame arrived need not explain its
    // records.
    const isCurrent = (current: OtherPolicy) =>
      current.account === account &&
      (current.version <= policy.index.version || policy.hasAllUntil(begunAt) || tries >= maxTries)
    const input = { ...frame, records, index: policy.index, isCurrent, explain, receivedAt: now() }
    // Only the transaction takes a turn: loading a policy or earlier configurations must not hold up other units.
    const stored = await storeInTurn(`${account}`, () => database.asSystem((tx) => storeFrame(tx, input)))
    if ('upTo' in stored) return { ...stored, account }
    if ('unexplained' in stored) explain = await earlierConfigs.explainer({ unit, records: stored.unexplained })
    else ({ account, version } = stored)
  }
  throw new Error('the unit moved to another account at every attempt to store its events')
}

async function accountOf(database: Database, unit: string) {
  const row = await database.first(
    z.object({ account: z.int() }),
    prepared(sql`select unit_account as account from unit where unit_id = ${unit}`),
  )
  if (!row) throw new UnitRefused('unknown_unit')
  return row.account
}

type StoreFrameInput = Omit<Frame, 'records' | 'account'> & {
  index: PolicyIndex
  isCurrent: (policy: OtherPolicy) => boolean
  records: readonly NumberedRecord[]
  explain: ExplainEarlier | undefined
  receivedAt: number
}

/**
 * Stores no events if they need another policy (the unit has moved to another account, or the policy has changed), or
 * earlier configurations that have not been read.
 */
async function storeFrame(tx: Transaction, input: StoreFrameInput): Promise<Stored | OtherPolicy | Unexplained> {
  const { unit, logId, index, isCurrent, receivedAt, clockOffsetMs } = input
  const context = await readIngestContext(tx, input)
  const policy = { account: context.place.account, version: context.place.policyVersion }
  if (!isCurrent(policy)) return policy
  const acknowledged = context.acknowledged ?? (await beginLog(tx, { unit, logId }))
  const fresh = input.records.filter(({ seq }) => seq > acknowledged)
  const last = fresh.at(-1)
  if (!last) return { upTo: acknowledged, delay: noDelay }
  const frame = frameOf(context.place, { unit, index, receivedAt, clockOffsetMs, logId })
  const unexplained: AccessRecord[] = []
  const explain = input.explain ?? ((record: AccessRecord) => void unexplained.push(record))
  const events = recordEvents({ frame, records: fresh, context, explain })
  if (unexplained.length > 0) return { unexplained }
  await addNames(tx, events, context)
  storeEvents(tx, [...gapEvents(frame, gapsBefore(fresh, acknowledged)), ...events])
  updateDoorStates(tx, events)
  storePassages(tx, { frame, events, records: fresh })
  storeLockdownCards(tx, { frame, events })
  await confirmByRecord(tx, { unit, records: fresh })
  tx.send(
    prepared(
      sql`update unit_mark set unit_mark_seq = ${last.seq} where unit_mark_unit = ${unit} and unit_mark_log = ${logId}`,
    ),
  )
  return { upTo: last.seq, delay: delayOf(events, clockOffsetMs) }
}

/**
 * The acknowledged sequence of a log that had none yet, locked: another connection may have begun it concurrently. There
 * are never more of these rows than events: each log begins with one, and a unit begins another if it lost its own, or after an outage with many events.
 */
async function beginLog(tx: Transaction, { unit, logId }: { unit: string; logId: string }) {
  const row = await tx.first(
    z.object({ seq: z.number() }),
    sql`insert into unit_mark (unit_mark_unit, unit_mark_log, unit_mark_seq) values (${unit}, ${logId}, 0)
        on conflict (unit_mark_unit, unit_mark_log) do update set unit_mark_seq = unit_mark.unit_mark_seq
        returning unit_mark_seq as seq`,
  )
  if (!row) throw new UnitRefused('unknown_unit')
  return row.seq
}

/** The gaps in the sequence that no record reports. */
function gapsBefore(records: readonly NumberedRecord[], acknowledged: number): EventNote[] {
  return records.flatMap(({ seq, record }, index) => {
    const before = records[index - 1]?.seq ?? acknowledged
    const isReported = record?.type === 'unit' && record.what === 'log_gap'
    return seq === before + 1 || isReported ? [] : [{ code: 'records_missing', from: before + 1, to: seq - 1 }]
  })
}

function gapEvents({ common, data }: OpenFrame, gaps: readonly EventNote[]): EventRow[] {
  return gaps.map((note) =>
    eventRow({ ...common, type: 'unit.log_gap', occurredAt: common.receivedAt, data: { ...data, note } }),
  )
}
