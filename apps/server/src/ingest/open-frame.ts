import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { prepared } from '../database/prepared-statements.ts'

/** A unit as it is now: its account with the version of the policy, its name, and its site. */
export const unitPlaceRow = z.object({
  account: z.int(),
  name: z.string(),
  site: z.uuid().nullable(),
  siteName: z.string().nullable(),
  policyVersion: z.number(),
})

export function unitPlace(unit: string) {
  return prepared(sql`select unit_account as account, unit_name as name, unit_site as site, site_name as "siteName",
      policy_version as "policyVersion"
    from unit join account on account_key = unit_account join policy on policy_root = account_root
    left join site on site_id = unit_site where unit_id = ${unit}`)
}

type Frame = { unit: string; receivedAt: number; clockOffsetMs: number | null; logId: string }

/** What all records of one frame share: the unit as it is now, its doors by number, and the current policy. */
export function frameOf(
  { account, name, site, siteName }: z.output<typeof unitPlaceRow>,
  { unit, index, receivedAt, clockOffsetMs, logId }: Frame & { index: PolicyIndex },
) {
  return {
    unit,
    index,
    receivedAt,
    clockOffsetMs,
    logId,
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
