import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { Policies } from '../policy/policies.ts'
import { UnitRefused } from './refusal.ts'

const unitRow = z.object({
  account: z.int(),
  name: z.string(),
  site: z.uuid().nullable(),
  siteName: z.string().nullable(),
  policyVersion: z.number(),
})

type OpenFrameInput = {
  unit: string
  policies: Policies
  receivedAt: number
  clockOffsetMs: number | null
  logId: string
}

/** What all records of one frame share: the unit as it is now, its doors by number, and the current policy. */
export async function openFrame(tx: Transaction, { unit, policies, receivedAt, clockOffsetMs, logId }: OpenFrameInput) {
  const row = await tx.first(
    unitRow,
    sql`select unit_account as account, unit_name as name, unit_site as site, site_name as "siteName",
               policy_version as "policyVersion"
          from unit join account on account_key = unit_account join policy on policy_root = account_root
          left join site on site_id = unit_site where unit_id = ${unit}`,
  )
  if (!row) throw new UnitRefused('unknown_unit')
  const { index } = await policies.ofAccountAt(row.account, row.policyVersion)
  const { account, name, site, siteName } = row
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

export type OpenFrame = Awaited<ReturnType<typeof openFrame>>

function doorsByNumber(index: PolicyIndex, unit: string) {
  const doors = new Map<number, Door>()
  for (const door of index.doorsOfUnit.get(unit) ?? []) if (door.unitDoor !== null) doors.set(door.unitDoor, door)
  return doors
}
