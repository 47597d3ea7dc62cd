import { SigningServer } from './signing-server.ts'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { UnitSession } from './unit-session.ts'

const section = 'Enrolment'

/** The key of the installation changes. Returns the next connection. */
export async function checkServerKey(unit: UnitUnderTest, session: UnitSession) {
  const { findings, patienceMs, server: earlier } = unit
  const later = new SigningServer()
  const next = await unit.reconnect(session, async (opened) => {
    later.unitNonce = earlier.unitNonce
    await findings.check(section, 'ignores a new key that its server did not sign', async () => {
      opened.send(later.serverKey(later.publicKey))
      return (await opened.next('serverKeyKept', unit.quietMs)) ? 'It confirmed the key.' : null
    })
    const isKept = await findings.check(section, 'keeps a new key that its server has signed', async () => {
      opened.send(earlier.serverKey(later.publicKey))
      const kept = await opened.next('serverKeyKept', patienceMs, ({ serverKey }) => serverKey === later.publicKey)
      return kept ? null : 'It did not confirm the key.'
    })
    if (isKept) unit.server = later
  })
  if (!next) return undefined
  const what = 'obeys only the new key once a clock is signed with it'
  if (unit.server === earlier) findings.skip(section, what, 'it has not confirmed the new key')
  else
    await findings.check(section, what, async () => {
      const fault = await unit.expectOutcome(next, later.command({}), 'done')
      return fault ?? unit.expectOutcome(next, earlier.command({}), 'refused')
    })
  return next
}
