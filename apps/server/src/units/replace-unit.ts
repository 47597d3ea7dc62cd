import { units } from '@portcullis/contract/collections/units'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { prove } from '../abilities/access-proof.ts'
import type { Access } from '../abilities/access.ts'
import { patchItem } from '../collections/patch.ts'
import { withNamedHolder } from '../collections/with-named-holder.ts'
import type { Database, Transaction } from '../database/database.ts'
import { unusable } from '../errors/unusable.ts'
import { issueRecordedCode } from './enrol.ts'
import { forgetHardware } from './forget-hardware.ts'

type ReplaceUnitInput = { access: Access; id: string; serial: string }

/** Prepares a unit for other hardware with this serial, and returns the code with which that hardware enrols. */
export function replaceUnit(database: Database, { access, id, serial }: ReplaceUnitInput) {
  const changes = { serial, model: null, enrolledAt: null }
  const verb = () =>
    database.asSystem(async (tx) => {
      await demandOtherSerial(tx, { unit: id, serial })
      await patchItem(tx, { collection: units, hooks: {}, access, id, changes, expected: undefined })
      await forgetHardware(tx, id)
      const created = await issueRecordedCode(tx, { access, unit: id })
      prove(tx, access)
      return created
    })
  return withNamedHolder(database, { access, collection: units, hooks: {}, values: () => ({ serial }), id }, verb)
}

/** A controller is not replaced by itself: it would lose its key. */
async function demandOtherSerial(tx: Transaction, { unit, serial }: { unit: string; serial: string }) {
  const same = await tx.first(
    z.object({}),
    sql`select from unit where unit_id = ${unit} and lower(unit_serial) = lower(${serial})`,
  )
  if (same) throw unusable('serial', problem('same_serial'))
}
