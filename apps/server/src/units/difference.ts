import {
  differenceChanges,
  type DifferenceKind,
  differenceKinds,
  type UnitDifference,
} from '@portcullis/contract/calls/unit-difference'
import { units } from '@portcullis/contract/collections/units'
import {
  changedSubjects,
  type ConfigDifference,
  configDifference,
  type ConfigPart,
} from '@portcullis/domain/configuration/config-difference'
import { sectionOf } from '@portcullis/domain/configuration/config-delta'
import { isCredentialLeftOut } from '@portcullis/domain/decision/left-out'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { bytesOf, changedPieces, documentOf, piecesOfVersions, readPieces } from '../desired/config-pieces.ts'
import { leftOutItems, type LeftOutItems } from '../desired/left-out-items.ts'
import { AppError } from '../errors/app-error.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import type { Policies } from '../policy/policies.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { runInSlices } from '../time-slices.ts'
import { namedCardholders } from '../collections/named-items.ts'

const versionsRow = z.object({
  desired: z.int().nullable(),
  applied: z.int().nullable(),
  leftOut: leftOutItems.nullable(),
})

/** Of both versions together: all entries that differ are in memory. At 50,000 credentials, both have 70 MB. */
const mostDifferingBytes = 100_000_000
/** If everything differs, one comparison takes seconds. An account with many comparisons delays only its own. */
const comparisons = { most: 1, ofKey: 4 } as const
const noCardholders = { total: 0, items: [] }

/** Compares the applied configurations of units with the desired ones, one unit at a time. */
export function makeUnitDifference({ database, policies }: { database: Database; policies: Policies }) {
  const turns = new FairTurns(comparisons)

  /** Of a unit that the request reads; throws `not_found` for others. */
  return async function unitDifference(access: Access, unit: string): Promise<UnitDifference> {
    const { desired, applied, leftOut } = await versionsOf(access, unit)
    const base = {
      desiredVersion: desired,
      appliedVersion: applied,
      counts: [],
      missing: noCardholders,
      outdated: noCardholders,
    }
    if (desired === null) return { ...base, comparison: 'not_compiled' }
    if (desired === applied) return { ...base, comparison: 'complete' }
    const { index } = await policies.ofAccount(access.account.key)
    const isLeftOut = leftOutFinder(leftOut, index)
    const turn = { key: access.account._id, signal: access.signal }
    const compared = await turns.take(turn, () => compare({ unit, desired, applied, isLeftOut }))
    if (typeof compared === 'string') return { ...base, comparison: compared }
    return {
      ...base,
      comparison: 'complete',
      counts: countsOf(compared, index),
      missing: await namedCardholders(database, access, compared.missing),
      outdated: await namedCardholders(database, access, compared.outdated),
    }
  }

  async function versionsOf({ reads, signal }: Access, unit: string) {
    const found = await database.readInAccounts({ accounts: reads, signal }, (tx) =>
      tx.first(
        versionsRow,
        sql`select unit_state_desired_version as desired, unit_state_applied_version as applied,
                   unit_state_left_out as "leftOut"
              from unit join unit_state on unit_state_id = unit_id
             where unit_id = ${unit} and ${belongsTo(tableOf(units), reads)}`,
      ),
    )
    if (!found) throw new AppError('not_found')
    return found
  }

  async function compare({ unit, desired, applied, isLeftOut }: CompareInput) {
    const versions = applied === null ? [desired] : [desired, applied]
    const rows = await piecesOfVersions(database, { unit, versions })
    const piecesOf = (version: number) => rows.find((row) => row.version === version)?.pieces
    const [before, after] = [applied === null ? [] : piecesOf(applied), piecesOf(desired)]
    if (!before || !after) return 'not_comparable'
    const [outdated, missing] = [changedPieces(before, after), changedPieces(after, before)]
    if (bytesOf(outdated) + bytesOf(missing) > mostDifferingBytes) return 'too_different'
    const appliedPieces = await readPieces(database, { unit, pieces: outdated })
    const desiredPieces = await readPieces(database, { unit, pieces: missing })
    if (!appliedPieces || !desiredPieces) return 'not_comparable'
    const appliedDocument = applied === null ? null : await runInSlices(documentOf(appliedPieces))
    const desiredDocument = await runInSlices(documentOf(desiredPieces))
    // Holders whose own entries are the same may have other rules.
    const hasOtherRules = changedSubjects(appliedDocument, desiredDocument).size > 0
    const holdersBefore = hasOtherRules ? before.filter(({ section }) => section === 'holders') : []
    const common = changedPieces(holdersBefore, outdated)
    if (bytesOf(outdated) + bytesOf(missing) + bytesOf(common) > mostDifferingBytes) return 'too_different'
    const commonPieces = await readPieces(database, { unit, pieces: common })
    if (!commonPieces) return 'not_comparable'
    const { holders } = await runInSlices(documentOf(commonPieces))
    return runInSlices(
      configDifference(appliedDocument, desiredDocument, { isLeftOut, commonHolders: sectionOf(holders) }),
    )
  }
}

type IsLeftOut = (id: string) => boolean
type CompareInput = { unit: string; desired: number; applied: number | null; isLeftOut: IsLeftOut }

/** Finds what only lacks room: the holders that are left out, by key, and credentials, unless these have ended. */
function leftOutFinder(leftOut: LeftOutItems | null, { credentials }: PolicyIndex): IsLeftOut {
  const holders = new Set(leftOut?.holderKeys)
  return (id) => {
    const credential = credentials.get(id)
    return holders.has(id) || (credential?.status === 'active' && isCredentialLeftOut(leftOut ?? undefined, credential))
  }
}

const kindOfPart: Readonly<Record<Exclude<ConfigPart, 'credentials'>, DifferenceKind>> = {
  doors: 'doors',
  rules: 'rules',
  schedules: 'schedules',
  sites: 'calendars',
  areas: 'areas',
  holders: 'cardholders',
  inService: 'enabled',
  period: 'period',
}

/** How many items of each kind differ; the policy knows the kinds of credentials that still exist. */
function countsOf({ parts }: ConfigDifference, { credentials }: PolicyIndex): UnitDifference['counts'] {
  const counts: UnitDifference['counts'] = []
  for (const [part, items] of parts) {
    for (const change of differenceChanges) {
      const kinds = Map.groupBy(items[change], (id) =>
        part === 'credentials' ? (credentials.get(id)?.kind ?? 'credential') : kindOfPart[part],
      )
      for (const [kind, { length: count }] of kinds) counts.push({ kind, change, count })
    }
  }
  return counts.toSorted((a, b) => differenceKinds.indexOf(a.kind) - differenceKinds.indexOf(b.kind))
}
