import { limits, type ServerFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { storeUnitEvents, recordUnitChanges } from '../ingest/unit-events.ts'
import { clearFault, markFault } from '../ingest/unit-fault.ts'
import { deltaFor } from './delta-for.ts'

const configRow = z.object({
  version: z.int(),
  policyVersion: z.number(),
  hash: z.string(),
  /** Whether the unit has it. */
  isApplied: z.boolean(),
  account: z.int(),
  fault: z.string().nullable(),
})

export type UnitConfigState = {
  applied: { version: number; hash: string } | null
  /** The highest version that the unit has ever accepted. */
  highestVersion: number
}
/** A restored database is at most this many versions behind its units, which get one with each change. */
const maxAhead = 1_000_000
/** A unit that claims to be ahead of every version that it gets, gets one of them in this time. */
const raiseSeconds = 60
/** Leaves room for as many versions as a unit can ever get below the maximum of the database. */
const highestPlausible = 2_000_000_000

/** Null if a piece is missing. */
const bodyRow = z.object({ body: z.instanceof(Buffer).nullable() })

/** `hash`: of the bytes of `body`, which is a delta if there is a base. */
type ConfigFramesInput = { version: number; policyVersion: number; hash: string; base: number | null; body: Buffer }
type LatestConfig = z.output<typeof configRow>
type ConfigFor = UnitConfigState & { unit: string; takesDeltas: boolean }
type Desired = { version: number; toSend: ConfigFramesInput | undefined }
/** The account of a unit that lacks a piece of its configuration since now. */
type Incomplete = { incompleteIn: number }

type ConfigForOptions = {
  database: Database
  /** Compiles a unit of the account with this key. */
  compile: (input: { account: number; unit: string }) => Promise<void>
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * The desired configuration, if the unit does not have it: if possible as a delta from the one that it applies. If the
 * database is older than the unit (after a restore), the same content gets a version above all that the unit has
 * accepted, because the unit refuses lower ones. A unit of a suspended account, or of one below it, gets none and decides
 * by the configuration it has. A unit that claims an impossibly high version gets none and is marked with a fault until it
 * stops; one that is ahead again within a minute gets none until then. A unit whose configuration is not stored whole gets
 * none until it is compiled again, which this starts.
 */
export async function configFor({ database, compile, log }: ConfigForOptions, state: ConfigFor) {
  const desired = await database.asSystem((tx) => desiredIn(tx, state))
  if (!desired || !('incompleteIn' in desired)) return desired
  const { unit } = state
  // Compiling stores the missing piece again, and announces the unit as changed.
  compile({ account: desired.incompleteIn, unit }).catch((error: unknown) =>
    log.warn({ err: error, unit }, 'compiling a unit without its whole configuration failed'),
  )
  return undefined
}

async function desiredIn(tx: Transaction, state: ConfigFor): Promise<Desired | Incomplete | undefined> {
  const { unit, applied, highestVersion } = state
  const latest = await tx.first(
    configRow,
    sql`select unit_config_version as version, unit_config_policy_version as "policyVersion",
           unit_config_hash as hash, unit_account as account, unit_state_fault as fault,
           (unit_config_version, unit_config_hash)
             is not distinct from (${applied?.version ?? null}::int, ${applied?.hash ?? null}::text) as "isApplied"
          from unit_config join unit on unit_id = unit_config_unit join unit_state on unit_state_id = unit_id
         where unit_config_unit = ${unit} and unit_config_version = unit_state_desired_version
           and not exists (select from account_closure join account on account_key = account_closure_ancestor
                            where account_closure_descendant = unit_account and account_status = 'suspended')`,
  )
  if (!latest) return undefined
  const { version, account, fault, isApplied } = latest
  if (highestVersion > Math.min(version + maxAhead, highestPlausible)) {
    await markFault(tx, { unit, fault: 'implausible_version', highestVersion })
    return undefined
  }
  if (fault !== null) await clearFault(tx, { unit, account, fault: 'implausible_version' })
  if (isApplied) return { version, toSend: undefined }
  return version > highestVersion ? newerFor(tx, { state, latest }) : raisedFor(tx, { state, latest })
}

type LatestFor = { state: ConfigFor; latest: LatestConfig }

async function newerFor(tx: Transaction, { state, latest }: LatestFor) {
  const { unit, applied, takesDeltas } = state
  const { version } = latest
  const delta = takesDeltas && applied ? await deltaFor(tx, { unit, applied, version }) : undefined
  return delta ? { version, toSend: { ...latest, ...delta } } : wholeFor(tx, { unit, latest })
}

async function raisedFor(tx: Transaction, { state: { unit, highestVersion }, latest }: LatestFor) {
  const version = highestVersion + 1
  if (!(await keepRaised(tx, { unit, from: latest, version }))) return undefined
  return wholeFor(tx, { unit, latest: { ...latest, version } })
}

/** Undefined if a higher version has replaced it meanwhile. */
async function wholeFor(
  tx: Transaction,
  { unit, latest }: { unit: string; latest: LatestConfig },
): Promise<Desired | Incomplete | undefined> {
  const { version, account } = latest
  const row = await bodyOf(tx, { unit, version })
  if (!row) return undefined
  if (row.body) return { version, toSend: { ...latest, body: row.body, base: null } }
  // One that is marked already is being compiled, or waits for the next attempt.
  return (await markFault(tx, { unit, fault: 'not_compiled' })) ? { incompleteIn: account } : undefined
}

function bodyOf(tx: Transaction, { unit, version }: { unit: string; version: number }) {
  return tx.first(
    bodyRow,
    prepared(sql`select convert_to(unit_config_text, 'utf8') as body from unit_config_whole
      where unit_config_unit = ${unit} and unit_config_version = ${version}`),
  )
}

type KeepRaised = { unit: string; from: LatestConfig; version: number }

/** Returns whether it was stored: not if the unit got another such version a moment ago. */
async function keepRaised(tx: Transaction, { unit, from: { account, hash, version: from }, version }: KeepRaised) {
  // This first: the row's lock orders it with the compilation of the unit.
  const raised = await tx.run(
    sql`update unit_state set unit_state_desired_version = ${version}, unit_state_raised_at = now()
         where unit_state_id = ${unit}
           and coalesce(unit_state_raised_at, '-infinity') < now() - make_interval(secs => ${raiseSeconds})`,
  )
  if (raised === 0) return false
  // With its pieces, so that the next version can be compared with it.
  await tx.run(
    sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version, unit_config_hash,
          unit_config_body, unit_config_bytes, unit_config_pieces)
        select unit_config_unit, ${version}, unit_config_policy_version, unit_config_hash, unit_config_body,
               unit_config_bytes, unit_config_pieces
          from unit_config where unit_config_unit = ${unit} and unit_config_version = ${from}`,
  )
  // Of a configuration raised again only the first version and the last are kept.
  await tx.run(
    sql`delete from unit_config raised using unit_config first
         where raised.unit_config_unit = ${unit} and raised.unit_config_version = ${from}
           and first.unit_config_unit = ${unit} and first.unit_config_hash = ${hash}
           and first.unit_config_version = (select max(unit_config_version) from unit_config
                where unit_config_unit = ${unit} and unit_config_version < ${from})`,
  )
  await recordUnitChanges(tx, [{ unit, account }])
  return true
}

type ConfigFrames = { unit: string; config: ConfigFramesInput; key: KeyPair }

/** The frames of a snapshot or delta, signed over unit, version, base and the hash of the bytes as sent; each is made when it is read. */
export function* configFrames({ unit, config, key }: ConfigFrames): Generator<ServerFrame, void> {
  const { version, base, policyVersion, hash, body } = config
  const size = limits.configChunkBytes
  const chunks = Math.max(1, Math.ceil(body.length / size))
  const signature = signText(key.privateKey, configText({ unit, version, base, hash }))
  yield { type: 'config', version, base, policyVersion, hash, signature, chunks }
  for (let index = 0; index < chunks; index++) {
    const data = body.subarray(index * size, (index + 1) * size).toString('base64')
    yield { type: 'configChunk', version, index, data }
  }
}

type Applied = Extract<UnitFrame, { type: 'configApplied' }>
type Rejected = Extract<UnitFrame, { type: 'configRejected' }>

export function noteApplied(database: Database, unit: string, { version }: Pick<Applied, 'version'>) {
  return database.asSystem(async (tx) => {
    const changed = await tx.run(
      sql`update unit_state set unit_state_applied_version = ${version}, unit_state_applied_at = now(),
             unit_state_rejection = null
           where unit_state_id = ${unit} and ${version} <= unit_state_desired_version
             and (unit_state_applied_version is distinct from ${version}
             or unit_state_applied_at is null or unit_state_rejection is not null)`,
    )
    if (changed > 0) {
      await tx.run(
        sql`update unit_config set unit_config_replaced_at = now()
             where unit_config_unit = ${unit} and unit_config_version < ${version} and unit_config_replaced_at is null`,
      )
      await storeUnitEvents(tx, {
        units: [unit],
        type: 'unit.sync_ok',
        data: { note: { code: 'config_applied', version } },
      })
    }
  })
}

/** With an event, unless the unit repeats its last rejection. */
export function noteRejected(database: Database, unit: string, { version, reason }: Rejected) {
  return database.asSystem(async (tx) => {
    const changed = await tx.run(
      sql`update unit_state set unit_state_rejection = ${reason}
           where unit_state_id = ${unit} and unit_state_rejection is distinct from ${reason}`,
    )
    if (changed === 0) return
    const note = { code: 'config_rejected', version, reason } as const
    await storeUnitEvents(tx, { units: [unit], type: 'unit.sync_failed', data: { note } })
  })
}
