import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { configSize, unitCapacity } from '@portcullis/contract/unit-capacity'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import { recordUnitChanges } from '../ingest/unit-events.ts'
import { conditionColumns, followConditions, storedConditions } from '../ingest/unit-conditions.ts'
import { clearFault, markFault } from '../ingest/unit-fault.ts'
import type { CurrentPolicy, Policies } from '../policy/policies.ts'
import { compileConfig, type NextConfig } from './compile-config.ts'
import { changedPieces, latestPieces, storedAmong, storePieces } from './config-pieces.ts'
import { deltaFromLatest } from './delta-from-latest.ts'
import { endHolds } from './end-holds.ts'
import { fullPatience, letModesPass } from './let-modes-pass.ts'
import { leftOutItems } from './left-out-items.ts'

type CompileOptions = {
  database: Database
  feed: ChangeFeed
  policies: Policies
  now: () => number
  log: FastifyBaseLogger
}
type CompileUnitsInput = {
  root: number
  /** Takes the units that are due now, up to the version that the policy has reached. */
  take: () => AffectedUnits
}

const unitRow = z.object({
  id: z.uuid(),
  account: z.int(),
  secret: z.instanceof(Buffer),
  hash: z.string().nullable(),
  size: configSize.nullable(),
  leftOut: leftOutItems.nullable(),
  takesDeltas: z.boolean(),
  capacity: unitCapacity.nullable(),
  compiledCapacity: unitCapacity.nullable(),
  fault: z.string().nullable(),
})
type UnitRow = z.output<typeof unitRow>

const treeRow = z.object({ isOurs: z.boolean(), version: z.number(), hasUnits: z.boolean() })
/** Each look at the modes is a query. */
const unitsBetweenLooks = 20
/** Advisory-lock namespace. */
export const compileLock = 7_361_906

/**
 * Compiles the configurations of the units of an account tree that are due, and stores those that changed as the next
 * desired version, each in its own transaction. A unit that cannot be compiled keeps its configuration and is marked,
 * and the others are still compiled. Returns those that failed; `busy` while another server compiles the tree.
 */
export function compileUnits(options: CompileOptions, { root, take }: CompileUnitsInput) {
  const { database, feed, policies, log } = options
  // This transaction only reads: it holds no rows while the units are stored. The lock keeps other servers out.
  return database.asSystem(async (tx): Promise<string[] | 'busy'> => {
    const tree = await tx.first(
      treeRow,
      sql`select pg_try_advisory_xact_lock(${compileLock}, ${root}) as "isOurs", policy_version as version, exists (select from unit join unit_secret on unit_secret_unit = unit_id
             join account on account_key = unit_account where account_root = ${root}) as "hasUnits"
            from policy where policy_root = ${root}`,
    )
    if (tree && !tree.isOurs) return 'busy'
    const failed: string[] = []
    if (!tree?.hasUnits) {
      if (tree) await noteCompiled(database, { root, version: tree.version })
      return failed
    }
    // At least as new as what another server has compiled, however long that takes.
    let policy = await policies.toCompile(root, tree.version)
    while (policy.version < tree.version) policy = await policies.toCompile(root, tree.version)
    demandDenyRules(policy)
    const { version } = policy
    const due = take()
    const units = await tx.rows(unitRow, unitsOfTree(root, due))
    const patience = fullPatience()
    for (const [index, unit] of units.entries()) {
      if (units.length > unitsBetweenLooks && index % unitsBetweenLooks === 0)
        await letModesPass(tx, { root, patience })
      // The database ends transactions without statements, and with this one the lock.
      await tx.run(sql`select`)
      try {
        if (await compileOne(options, { root, unit })) feed.hint()
      } catch (error) {
        log.error({ err: error, unit: unit.id }, 'compiling the configuration of a unit failed')
        await database.asSystem((own) => markFault(own, { unit: unit.id, fault: 'not_compiled' }))
        failed.push(unit.id)
        feed.hint()
      }
    }
    await noteCompiled(database, { root, version })
    return failed
  })
}

/** Without a deny rule a unit would grant what the rule denies. */
function demandDenyRules({ blocking: [rule] }: CurrentPolicy) {
  if (rule) throw new Error(`the deny rule “${rule.name}” (${rule.item}) cannot be read`)
}

function noteCompiled(database: Database, { root, version }: { root: number; version: number }) {
  return database.asSystem((tx) =>
    tx.run(sql`update policy set policy_compiled_version = ${version}
                where policy_root = ${root} and policy_compiled_version < ${version}`),
  )
}

function unitsOfTree(root: number, due: AffectedUnits) {
  // Units that failed are tried again with each change.
  const chosen =
    due === 'all' ? sql`` : sql`and (unit_id = any(${[...due]}::uuid[]) or unit_state_fault = 'not_compiled')`
  return sql`select unit_id as id, unit_account as account, unit_secret_secret as secret, unit_config_hash as hash, unit_state_config_size as size, unit_state_left_out as "leftOut", unit_state_takes_deltas as "takesDeltas", unit_state_capacity as capacity, unit_state_compiled_capacity as "compiledCapacity", unit_state_fault as fault
            from unit join unit_state on unit_state_id = unit_id join account on account_key = unit_account
            join unit_secret on unit_secret_unit = unit_id
            left join unit_config on unit_config_unit = unit_id and unit_config_version = unit_state_desired_version
           where account_root = ${root} ${chosen}
           order by unit_id`
}

/** Returns whether the unit has a new version. */
async function compileOne(
  { database, policies, now, log }: CompileOptions,
  { root, unit }: { root: number; unit: UnitRow },
): Promise<boolean> {
  const { id, account, takesDeltas, capacity, fault } = unit
  const latest = await latestPieces(database, id)
  const pieces = latest?.pieces ?? []
  const known = fault === 'not_compiled' ? await storedAmong(database, { unit: id, pieces }) : pieces
  const next = await policies.whileUnchanged(root, async (policy) => {
    demandDenyRules(policy)
    const secret = unit.secret.toString('base64')
    const input = {
      index: policy.index,
      unit: id,
      at: now(),
      capacity,
      secret,
      stored: known,
    }
    return { ...(await compileConfig(input)), policyVersion: policy.version }
  })
  const isNew = next.hash !== unit.hash
  const { size, leftOut } = next
  // What is left out can change the size and not the configuration.
  const stored = { size: unit.size, leftOut: unit.leftOut, capacity: unit.compiledCapacity }
  const isMeasured = isDeepStrictEqual({ size, leftOut, capacity }, stored)
  if (!isNew && isMeasured && fault !== 'not_compiled') return false
  const delta =
    isNew && latest && takesDeltas
      ? await deltaFromLatest(database, { unit: id, latest, next }).catch((error: unknown) => {
          log.warn({ err: error, unit: id }, 'making a delta failed; the controller gets the whole configuration')
        })
      : undefined
  const leftDoors = leftOut?.doors.filter((door) => !unit.leftOut?.doors.includes(door)) ?? []
  await database.asSystem(async (tx) => {
    // A hold that is set at this moment comes before it, and is ended, or after it, and is refused.
    if (leftDoors.length > 0) lockTree(tx, { root, turn: 'alone' })
    // Before other rows: this row's lock keeps the pieces of earlier versions from being deleted.
    const measured = await tx.first(
      storedConditions,
      sql`update unit_state set unit_state_config_size = ${JSON.stringify(size)}::jsonb,
             unit_state_left_out = ${leftOut && JSON.stringify(leftOut)}::jsonb,
             unit_state_compiled_capacity = ${capacity && JSON.stringify(capacity)}::jsonb where unit_state_id = ${id}
          returning ${conditionColumns}`,
    )
    if (measured) await followConditions(tx, measured)
    if (fault !== null) await clearFault(tx, { unit: id, account, fault: 'not_compiled' })
    await storePieces(tx, { unit: id, pieces: changedPieces(next.pieces, known), texts: next.texts })
    if (isNew) await storeVersion(tx, { unit: id, next, delta: delta ?? undefined })
    await recordUnitChanges(tx, [{ unit: id, account }])
    if (leftDoors.length > 0) await endHolds(tx, leftDoors)
  })
  return isNew
}

type StoreVersion = {
  unit: string
  next: NextConfig & { policyVersion: number }
  delta: { base: number; delta: Buffer } | undefined
}

/** As the next desired version. */
async function storeVersion(tx: Transaction, { unit, next, delta }: StoreVersion) {
  const { hash, bytes, pieces, policyVersion } = next
  // The unit's connection may have stored a higher version since it was read.
  await tx.run(sql`with stored as (
      insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version, unit_config_hash,
        unit_config_bytes, unit_config_pieces, unit_config_base, unit_config_delta)
      select ${unit}, coalesce(max(unit_config_version), 0) + 1, ${policyVersion}, ${hash}, ${bytes},
             ${JSON.stringify(pieces)}::jsonb, ${delta?.base ?? null}::int, ${delta?.delta ?? null}::bytea
        from unit_config where unit_config_unit = ${unit}
      returning unit_config_version)
    update unit_state set unit_state_desired_version = unit_config_version from stored where unit_state_id = ${unit}`)
}
