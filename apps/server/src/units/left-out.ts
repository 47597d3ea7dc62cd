import type { LeftOut } from '@portcullis/contract/calls/left-out'
import { units } from '@portcullis/contract/collections/units'
import { configSize, fitsInto, unitCapacity } from '@portcullis/contract/unit-capacity'
import { compileInSteps, type UnitConfig } from '@portcullis/domain/configuration/compile-unit'
import type { LeftOut as CompiledLeftOut } from '@portcullis/domain/configuration/fit-to-capacity'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import type { Policies } from '../policy/policies.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { runInSlices } from '../time-slices.ts'
import { namedCardholders, namedDoors, namedSchedules } from './named-items.ts'

const measuredRow = z.object({ capacity: unitCapacity.nullable(), size: configSize.nullable() })
const nothing: LeftOut = {
  credentials: 0,
  cardholders: { total: 0, items: [] },
  incomplete: [],
  doors: [],
  schedules: [],
}

/** While a unit is compiled, the policy of its account tree does not change. */
const listings = { most: 1, ofKey: 4 } as const

/** Compiles a unit's configuration by the current policy, to list what the unit has no room for. */
export function makeLeftOut({ database, policies }: { database: Database; policies: Policies }) {
  const turns = new FairTurns(listings)

  /** Of a unit that the request reads; throws `not_found` for others. */
  return async function leftOut(access: Access, unit: string): Promise<LeftOut> {
    const { capacity, size } = await measuredUnit(access, unit)
    if (size === null || fitsInto(size, capacity)) return nothing
    const { root } = await policies.ofAccount(access.account.key)
    const missing = await turns.take(access.account._id, () => {
      access.signal?.throwIfAborted()
      return policies.whileUnchanged(root, async ({ index }) => {
        // The numbers are not sent, so they need no hash.
        const input = { index, unit, at: Date.now(), hashNumber: (number: string) => number, capacity }
        const { head, leftOut: missing } = await runInSlices(compileInSteps(input))
        return { ...missing, incomplete: countByDoor(missing.holders, head.doors) }
      })
    })
    const ofDoors = await namedDoors(database, access, [...missing.incomplete.keys()])
    return {
      credentials: missing.credentials,
      cardholders: await namedCardholders(database, access, new Set(missing.holders.map(([key]) => key))),
      incomplete: ofDoors.map((door) => ({ ...door, cardholders: missing.incomplete.get(door._id) ?? 0 })),
      doors: await namedDoors(database, access, missing.doors),
      schedules: await namedSchedules(database, access, missing.schedules),
    }
  }

  async function measuredUnit({ reads, signal }: Access, unit: string) {
    const found = await database.readInAccounts({ accounts: reads, signal }, (tx) =>
      tx.first(
        measuredRow,
        sql`select unit_state_capacity as capacity, unit_state_config_size as size
              from unit join unit_state on unit_state_id = unit_id
             where unit_id = ${unit} and ${belongsTo(tableOf(units), reads)}`,
      ),
    )
    if (!found) throw new AppError('not_found')
    return found
  }
}

/** How many of these holders have an allow rule at each door, by its id. */
function countByDoor(holders: CompiledLeftOut['holders'], doors: UnitConfig['doors']) {
  const counts = new Map<string, number>()
  for (const [, { doors: access }] of holders) {
    for (const [number, { allow }] of Object.entries(access)) {
      const id = doors[number]?._id
      if (id !== undefined && allow.length > 0) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}
