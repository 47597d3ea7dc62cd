import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { credentials, type SigningServer } from './signing-server.ts'
import type { UnitUnderTest } from './unit-under-test.ts'

type Hello = Extract<UnitFrame, { type: 'hello' }>

const [forged = '', kept = '', unblocked = ''] = credentials

/** A forged list, one that blocks 2 credentials, and one that unblocks one of them. */
export function blocklists(server: SigningServer) {
  return [
    server.blocklist({ block: [forged], isForged: true }),
    server.blocklist({ block: [kept, unblocked] }),
    server.blocklist({ unblock: [unblocked] }),
  ]
}

/** Checks what the unit has stored before a cut, from its hello afterwards. */
export async function checkNextHello({ findings, hello, version: current }: UnitUnderTest, canBlock: boolean) {
  const check = (section: string, what: string, faultOf: (given: Hello) => string | null) =>
    findings.check(section, what, async () => (hello ? faultOf(hello) : 'It did not connect again.'))

  await check('Configuration', 'names the applied configuration in its next hello', ({ applied, highestVersion }) => {
    if (applied?.version !== current) return `The hello does not name version ${current} as applied.`
    return highestVersion < current ? `The hello does not name ${current} as the highest version.` : null
  })
  await check('Door modes', 'names the stored modes in its next hello', ({ doorModes }) => {
    const stored = doorModes?.find(({ door }) => door === 1)
    return stored?.version === 6 ? null : 'The hello does not name version 6 of the mode of door 1.'
  })

  const checkBlocked = async (what: string, faultOf: (blocked: readonly string[]) => string | null) => {
    const section = 'Ended access'
    if (canBlock) await check(section, what, ({ blocked = [] }) => faultOf(blocked))
    else findings.skip(section, what, 'its hello has no list of blocked credentials')
  }
  await checkBlocked('ignores a blocklist that the server did not sign', (blocked) =>
    blocked.includes(forged) ? 'It blocked the credential.' : null,
  )
  await checkBlocked('names the blocked credentials in its next hello', (blocked) =>
    blocked.includes(kept) ? null : 'The hello does not name the blocked credential.',
  )
  await checkBlocked('unblocks a credential', (blocked) =>
    blocked.includes(unblocked) ? 'The hello still names the credential as blocked.' : null,
  )
}
