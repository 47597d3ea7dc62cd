import type { ControlClient } from '@portcullis/controllers/control-client'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '@portcullis/server/database/database'
import { issueEnrolmentCode } from '@portcullis/server/units/enrol'
import { virtualModel } from '../world/places.ts'

const fleetRow = z.object({ unit: z.uuid(), serial: z.string(), account: z.int(), isEnrolled: z.boolean() })
export type FleetUnit = z.output<typeof fleetRow>

/** The virtual units of the installation, including those that an operator has added. */
export function virtualFleet(database: Database) {
  return database.asSystem((tx) =>
    tx.rows(
      fleetRow,
      sql`select unit_id as unit, unit_serial as serial, unit_account as account,
             exists (select from unit_secret where unit_secret_unit = unit_id) as "isEnrolled" from unit
           where unit_model = ${virtualModel} order by unit_serial`,
    ),
  )
}

type EnrolFleetInput = { control: ControlClient; fleet: readonly FleetUnit[] }

/**
 * Enrols units that the process does not know, or knows from another installation, with a one-time code each. A unit that
 * is enrolled but unknown here belongs to another process: a new key would lock that process out.
 */
export async function enrolFleet(database: Database, { control, fleet }: EnrolFleetInput) {
  const unitsBySerial = new Map((await control.list()).map(({ serial, running }) => [serial, running?.unit ?? null]))
  for (const { unit, serial, isEnrolled } of fleet) {
    if (unitsBySerial.get(serial) === unit || (isEnrolled && !unitsBySerial.has(serial))) continue
    const { code } = await database.asSystem((tx) => issueEnrolmentCode(tx, unit))
    await control.add({ serial, model: virtualModel, code })
  }
}
