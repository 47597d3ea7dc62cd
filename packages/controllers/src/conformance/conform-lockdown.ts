import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { group, otherGroup, withCard } from './signing-server.ts'
import type { Presenting } from './conform-cards.ts'

const passes = 'grants access to a user whom the lockdown lets pass'
const denies = 'denies access to a user whom not all lockdowns of the door let pass'
const ignores = 'lets no users pass whom the server has not signed'

/** Checks who may pass during a lockdown. Leaves the door locked down. */
export async function checkExceptions({ unit, session, number, present }: Presenting) {
  const section = 'Door modes'
  const { findings, server, patienceMs } = unit
  const skip = (why: string) => [passes, denies, ignores].forEach((what) => findings.skip(section, what, why))
  if (number === undefined) return skip('no card was presented')
  const version = unit.version + 1
  const content = withCard(number, {})
  await unit.expectApplied(session, { version, hash: unit.send(session, server.configuration({ version, content })) })

  /** The confirmation of a lockdown. */
  function lockDown(desired: { version: number; mayPass: string[][]; isMayPassForged?: boolean }) {
    session.send(server.doorMode({ mode: 'lockdown', ...desired }))
    return session.next('doorModeApplied', patienceMs, (frame: Applied) => frame.version === desired.version)
  }
  const recorded = async () => {
    const { record, fault } = await present(session)
    return { reason: record && (record.reason ?? 'a grant'), fault }
  }
  const faultOf = ({ reason, fault }: Awaited<ReturnType<typeof recorded>>, expected: string) => {
    if (reason === undefined) return fault
    return reason === expected ? null : `It recorded ${reason} instead of ${expected}.`
  }

  const confirmed = await lockDown({ version: 3, mayPass: [[otherGroup, group]] })
  if (!confirmed?.stored?.mayPass) return skip('the unit does not confirm who may pass')
  await findings.check(section, passes, async () => faultOf(await recorded(), 'a grant'))
  await findings.check(section, denies, async () => {
    await lockDown({ version: 4, mayPass: [[group], [otherGroup]] })
    return faultOf(await recorded(), 'door_locked_down')
  })
  await findings.check(section, ignores, async () => {
    await lockDown({ version: 5, mayPass: [[group]], isMayPassForged: true })
    return faultOf(await recorded(), 'door_locked_down')
  })
}

type Applied = Extract<UnitFrame, { type: 'doorModeApplied' }>
