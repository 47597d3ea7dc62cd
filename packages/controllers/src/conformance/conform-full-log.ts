import { isLogGap } from './seen-logs.ts'
import { type UnitUnderTest, unlockedBy } from './unit-under-test.ts'
import type { UnitSession } from './unit-session.ts'

const what = 'reports in a log_gap record what a full log has dropped'
/** The commands for a larger log would take minutes. */
const maxEvents = 1_000
/** A log also has room for longer records than those of commands. */
const commandsPerEvent = 4

/** Fills the log of a unit with commands, without acknowledging their records. Returns the next connection. */
export async function checkFullLog(unit: UnitUnderTest, session: UnitSession) {
  const events = unit.hello?.capacity?.events
  if (events === undefined || events > maxEvents) {
    const why = events === undefined ? 'its hello does not report for how many events it has room' : roomFor(events)
    unit.findings.skip('Events', what, why)
    return session
  }
  const commands = commandsPerEvent * events
  unit.operator.onFilling?.(commands)
  const { last, filling } = await fill(unit, session, commands)
  const next = await unit.reconnect(session)
  if (!next) return undefined
  const missing = 'It did not record the last command.'
  const { records, fault } = await unit.nextRecord(next, { until: unlockedBy(last.id), missing })
  // Its answer comes after the acknowledgement, which the next cut could lose.
  await unit.expectHeartbeat(next)
  const gap = records.some(({ body }) => isLogGap(body)) ? null : 'It sent no log_gap record before the last command.'
  unit.findings.report({ section: 'Events', what, fault: filling ?? fault ?? gap })
  return next
}

async function fill(unit: UnitUnderTest, session: UnitSession, commands: number) {
  let last = unit.server.command({})
  let filling: string | null = null
  for (let count = 0; count < commands && filling === null; count++) {
    last = unit.server.command({})
    filling = await unit.expectOutcome(session, last, 'done')
  }
  return { last, filling }
}

function roomFor(events: number) {
  return `it has room for ${events} events; give it room for at most ${maxEvents} for this rule`
}
