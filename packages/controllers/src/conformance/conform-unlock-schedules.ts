import { type UnitRecord, unitRecord } from '@portcullis/contract/unit-protocol/records'
import type { DoorMode } from '@portcullis/domain/policy'
import type { Presenting } from './conform-cards.ts'
import { withUnlockSchedule } from './signing-server.ts'

const section = 'Unlock schedules'
const opens = 'stands unlocked in the hours of an unlock schedule: records the mode, and grants access without a PIN'
const closes = 'returns to normal when the schedule is closed: records the mode, and asks for the PIN again'

/** Checks a door that requires a PIN. A unit that unlocks no door by a schedule keeps it locked, as it may. */
export async function checkUnlockSchedules({ unit, session, number, present }: Presenting) {
  const { findings, server } = unit
  const skip = (why: string) => [opens, closes].forEach((what) => findings.skip(section, what, why))
  if (number === undefined) return skip('no card was presented')

  /** Presents the card under another configuration. */
  const decision = async ({ isOpen }: { isOpen: boolean }) => {
    const version = unit.version + 1
    const content = withUnlockSchedule({ number, isOpen })
    await unit.expectApplied(session, { version, hash: unit.send(session, server.configuration({ version, content })) })
    const { record, records, fault } = await present(session)
    const modes = records.flatMap(({ body }) => modeIn(unitRecord.safeParse(body).data) ?? [])
    return { reason: record && (record.reason ?? 'a grant'), mode: modes.at(-1), fault }
  }
  const faultOf = ({ reason, mode, fault }: Awaited<ReturnType<typeof decision>>, expected: Expected) => {
    if (reason === undefined) return fault
    if (reason !== expected.reason) return `It recorded ${reason} instead of ${expected.reason}.`
    return mode === expected.mode ? null : `It did not record the mode ${expected.mode}.`
  }

  const open = await decision({ isOpen: true })
  if (open.reason === 'pin_required' && open.mode === undefined) return skip('the unit unlocks no door by a schedule')
  findings.report({ section, what: opens, fault: faultOf(open, { reason: 'a grant', mode: 'unlocked' }) })
  await findings.check(section, closes, async () =>
    faultOf(await decision({ isOpen: false }), { reason: 'pin_required', mode: 'normal' }),
  )
}

type Expected = { reason: string; mode: DoorMode }

function modeIn(record: UnitRecord | undefined) {
  return record?.type === 'door' && record.what === 'mode_changed' ? record.mode : undefined
}
