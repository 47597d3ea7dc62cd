import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { prepared } from '../database/prepared-statements.ts'

/** A unit as it is now: its account with the version of the policy, its name, its site, and how many items its configuration leaves out. */
export const unitPlaceRow = z.object({
  account: z.int(),
  name: z.string(),
  site: z.uuid().nullable(),
  siteName: z.string().nullable(),
  policyVersion: z.number(),
  leftOut: z.object({ credentials: z.int(), doors: z.int(), schedules: z.int() }).nullable(),
})

export function unitPlace(unit: string) {
  return prepared(sql`select unit_account as account, unit_name as name, unit_site as site, site_name as "siteName",
      policy_version as "policyVersion", case when unit_state_left_out is not null then
        jsonb_build_object('credentials', unit_state_left_out->'credentials', 'doors', jsonb_array_length(unit_state_left_out->'doors'),
          'schedules', jsonb_array_length(unit_state_left_out->'schedules')) end as "leftOut"
    from unit join unit_state on unit_state_id = unit_id join account on account_key = unit_account join policy on policy_root = account_root
    left join site on site_id = unit_site where unit_id = ${unit}`)
}

type Frame = { unit: string; receivedAt: number; clockOffsetMs: number | null; logId: string }

/** What all records of one frame share: the unit as it is now, its doors by number, and the current policy. */
export function frameOf(
  { account, name, site, siteName, leftOut }: z.output<typeof unitPlaceRow>,
  { unit, index, receivedAt, clockOffsetMs, logId }: Frame & { index: PolicyIndex },
) {
  return {
    unit,
    index,
    receivedAt,
    clockOffsetMs,
    logId,
    leftOut,
    doors: doorsByNumber(index, unit),
    common: { account, unit, site, receivedAt: new Date(receivedAt).toISOString(), log: logId },
    data: { names: { unit: name, site: siteName } },
  }
}

export type OpenFrame = ReturnType<typeof frameOf>

function doorsByNumber(index: PolicyIndex, unit: string) {
  const doors = new Map<number, Door>()
  for (const door of index.doorsOfUnit.get(unit) ?? []) if (door.unitDoor !== null) doors.set(door.unitDoor, door)
  return doors
}
