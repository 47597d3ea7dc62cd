import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { checkExceptions } from './conform-lockdown.ts'
import { checkUnlockSchedules } from './conform-unlock-schedules.ts'
import { areas, withCard } from './signing-server.ts'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { UnitSession } from './unit-session.ts'

/** One shows the number of the card, 3 are for approvals, 2 for passages, 2 for unlock schedules and 3 for lockdowns. */
const mostCards = 11
type AccessRecord = Extract<UnitRecord, { type: 'access' }>

/** Checks the rules that need a card at a reader. Returns the next connection. */
export async function checkCards(unit: UnitUnderTest, session: UnitSession) {
  const { onCard } = unit.operator
  let nth = 0
  const present = (at: UnitSession) => {
    onCard?.({ nth: ++nth, most: mostCards })
    return access(unit, at)
  }
  const number = onCard && (await present(session)).record?.number
  await checkApprovals({ unit, session, number, present })
  const next = await checkPassages({ unit, session, number, present })
  if (!next) return undefined
  await checkUnlockSchedules({ unit, session: next, number, present })
  await checkExceptions({ unit, session: next, number, present })
  return next
}

type Configuring = { unit: UnitUnderTest; session: UnitSession; number: string | undefined }
/** `present` asks for the card, and returns its record. */
export type Presenting = Configuring & { present: (session: UnitSession) => ReturnType<typeof access> }

/** The record of the presented card. */
function access(unit: UnitUnderTest, session: UnitSession) {
  const until = (record: UnitRecord): record is AccessRecord => record.type === 'access' && record.door === 1
  return unit.nextRecord(session, { until, missing: 'It did not record the card.' })
}

const noCard = 'no card was presented'
const denies = 'asks for approval, and denies access with the reason of the answer'
const ignores = 'ignores an answer that the server did not sign'
const grants = 'opens the door for a command that grants the request'

async function checkApprovals({ unit, session, number, present }: Presenting) {
  const section = 'Approval'
  const skip = (why: string) => [denies, ignores, grants].forEach((what) => unit.findings.skip(section, what, why))
  if (number === undefined) return skip(noCard)
  const { server, patienceMs } = unit
  const version = unit.version + 1
  const content = withCard(number, { requiresRemoteAuth: true })
  await unit.expectApplied(session, { version, hash: unit.send(session, server.configuration({ version, content })) })

  /** Presents the card; `answer` ends its request. */
  async function decision(answer: (id: string) => unknown) {
    const recorded = present(session)
    const request = session.next('approvalRequest', patienceMs)
    const asked = await Promise.race([request, recorded.then(() => undefined)])
    if (asked) await answer(asked.id)
    return { isAsked: asked !== undefined, ...(await recorded) }
  }
  const faultOf = ({ isAsked, record, fault }: Awaited<ReturnType<typeof decision>>, reason: string | null) => {
    if (!isAsked) return 'It did not ask for approval.'
    if (!record) return fault
    return record.reason === reason
      ? null
      : `It recorded ${record.reason ?? 'a grant'} instead of ${reason ?? 'a grant'}.`
  }

  const first = await decision((id) => session.send(server.approvalOutcome({ id, outcome: 'denied' })))
  if (!first.isAsked && first.record?.reason === 'remote_unavailable') return skip('the unit does not ask for approval')
  unit.findings.report({ section, what: denies, fault: faultOf(first, 'remote_denied') })
  await unit.findings.check(section, ignores, async () => {
    const second = await decision((id) => {
      session.send(server.approvalOutcome({ id, outcome: 'denied', isForged: true }))
      session.send(server.approvalOutcome({ id, outcome: 'timeout' }))
    })
    return faultOf(second, 'remote_timeout')
  })
  await unit.findings.check(section, grants, async () => {
    let answer: string | null = null
    const third = await decision(async (request) => {
      answer = await unit.expectOutcome(session, server.command({ request }), 'done')
    })
    return answer ?? faultOf(third, null)
  })
}

const stores = 'stores the passages that the server has signed, and names the last one in its next hello'
const enters = 'denies access to a user who has entered at another unit'
const leaves = 'grants access again after the user has left there'

/** Returns the next connection, whose hello shows what the unit has stored. */
async function checkPassages({ unit, session, number, present }: Presenting) {
  const sentAt = await sendPassages({ unit, session, number })
  const next = await unit.reconnect(session)
  if (next) await judgePassages({ unit, session: next, number, present }, sentAt.toISOString())
  return next
}

/** A forged frame, and then one that ends earlier. */
async function sendPassages({ unit, session, number = '' }: Configuring) {
  const { server } = unit
  const version = unit.version + 1
  const content = { ...withCard(number, { areas: Object.keys(areas) }), areas }
  await unit.expectApplied(session, { version, hash: unit.send(session, server.configuration({ version, content })) })
  const at = new Date()
  session.send(server.passages({ at: new Date(at.getTime() + 1_000), direction: 'exit', isForged: true }))
  session.send(server.passages({ at, direction: 'entry' }))
  await unit.expectHeartbeat(session)
  return at
}

async function judgePassages({ unit, session, number, present }: Presenting, sentAt: string) {
  const section = 'Passages at other units'
  const { findings, server, hello } = unit
  const skip = (rules: string[], why: string) => rules.forEach((what) => findings.skip(section, what, why))
  const judge = (what: string, record: AccessRecord | undefined, expected: string) => {
    const recorded = record && (record.reason ?? 'a grant')
    const wrong = recorded ? `It recorded ${recorded} instead of ${expected}.` : 'It did not record the card.'
    findings.report({ section, what, fault: recorded === expected ? null : wrong })
  }

  const upTo = hello?.passagesUpTo
  const entered = number === undefined ? undefined : (await present(session)).record
  // A unit without areas denies access to all users of their doors.
  if (upTo === undefined && entered?.verdict !== 'grant')
    return skip([stores, enters, leaves], 'its hello does not name passages')
  const fault = upTo === sentAt ? null : `The hello names ${upTo ?? 'none'} instead of ${sentAt}.`
  findings.report({ section, what: stores, fault })
  if (number === undefined) return skip([enters, leaves], noCard)
  judge(enters, entered, 'antipassback')
  session.send(server.passages({ direction: 'exit' }))
  await unit.expectHeartbeat(session)
  judge(leaves, (await present(session)).record, 'a grant')
}
