import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { interlocked } from './signing-server.ts'
import type { UnitSession } from './unit-session.ts'
import type { UnitUnderTest } from './unit-under-test.ts'

const section = 'Interlocks with other units'
const asks = 'asks before a command opens the door, and refuses the command where another door is open'
const ignores = 'ignores an answer that the server did not sign'
const waits = 'refuses the command where the server does not answer'
const reports = 'opens the door after the answer, and reports it until it is closed and locked'
const holds = 'asks about a door in the mode unlocked with each heartbeat, and locks it where another door is open'

type Request = Extract<UnitFrame, { type: 'interlockRequest' }>

/** Checks the rules for a door that shares an interlock with doors of other units. */
export async function checkInterlocks(unit: UnitUnderTest, session: UnitSession) {
  await configure(interlocked)
  await checkDoor(unit, session)
  await configure({})

  async function configure(content: typeof interlocked) {
    const version = unit.version + 1
    const hash = unit.send(session, unit.server.configuration({ version, content }))
    await unit.expectApplied(session, { version, hash })
  }
}

async function checkDoor(unit: UnitUnderTest, session: UnitSession) {
  const { findings, patienceMs, server } = unit

  /** Sends a command; `answer` is called with the request of the unit. */
  async function command(answer: (request: Request) => void) {
    const { id, ...sent } = server.command({})
    session.send({ id, ...sent })
    const result = session.next('commandResult', limits.interlockMs + patienceMs, (frame) => frame.id === id)
    const request = session.next('interlockRequest', patienceMs)
    const asked = await Promise.race([request, result.then(() => undefined)])
    if (asked) answer(asked)
    return { isAsked: asked !== undefined, ...(await result) }
  }
  const faultOf = ({ isAsked, outcome }: Awaited<ReturnType<typeof command>>, expected: string) => {
    if (!isAsked) return 'It did not ask.'
    return outcome === expected ? null : `It answered ${outcome ?? 'nothing'} instead of ${expected}.`
  }

  const first = await command(({ id }) => session.send(server.interlockAnswer({ id, outcome: 'open' })))
  if (!first.isAsked && first.outcome === 'refused' && first.detail === 'interlock_unavailable') {
    for (const what of [asks, ignores, waits, reports, holds])
      findings.skip(section, what, 'the unit keeps such doors locked')
    return
  }
  findings.report({ section, what: asks, fault: faultOf(first, 'refused') })
  await findings.check(section, ignores, async () => {
    const second = await command(({ id }) => {
      session.send(server.interlockAnswer({ id, outcome: 'clear', isForged: true }))
      session.send(server.interlockAnswer({ id, outcome: 'open' }))
    })
    return faultOf(second, 'refused')
  })
  await findings.check(section, waits, async () => {
    const unanswered = await command(() => {})
    return faultOf(unanswered, 'refused')
  })
  await findings.check(section, reports, async () => {
    const third = await command(({ id }) => session.send(server.interlockAnswer({ id, outcome: 'clear' })))
    const fault = faultOf(third, 'done')
    if (fault !== null) return fault
    if (!(await reported(false))) return 'It did not report the door as released.'
    return (await reported(true)) ? null : 'It did not report the door as closed and locked.'
  })
  await findings.check(section, holds, async () => {
    session.send(server.doorMode({ version: 1, mode: 'unlocked' }))
    if (!(await answerNext('clear'))) return 'It did not ask when the mode began.'
    if (!(await reported(false))) return 'It did not report the door as released.'
    const fault = await unit.expectHeartbeat(session)
    if (fault !== null) return fault
    if (!(await answerNext('open'))) return 'It did not ask with a heartbeat.'
    if (!(await reported(true))) return 'It did not report the door as closed and locked.'
    session.send(server.doorMode({ version: 2, mode: 'normal' }))
    return null
  })

  async function answerNext(outcome: 'clear' | 'open') {
    const request = await session.next('interlockRequest', patienceMs)
    if (request) session.send(server.interlockAnswer({ id: request.id, outcome }))
    return request !== undefined
  }

  function reported(isSecure: boolean) {
    return session.next('interlockState', patienceMs, ({ doors }) =>
      doors.some((each) => each.door === 1 && each.isSecure === isSecure),
    )
  }
}
