import { expect, test } from 'vitest'
import { CodeRefused, conformServer } from './conform-server.ts'
import type { Finding } from './findings.ts'
import { NoConnection } from './server-session.ts'
import { code } from './signing-server.ts'
import { type ServerFault, smallServer } from './small-server.ts'

/** What the kit finds about a server that does this wrong. */
async function findingsAbout(wrong?: ServerFault, given: { code?: string; patienceMs?: number } = {}) {
  const { url, close } = await smallServer(wrong)
  try {
    return await conformServer({ url, code, serial: 'PC-1', patienceMs: 10_000, ...given })
  } finally {
    await close()
  }
}

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ fault }) => fault !== null)

test('a server that keeps the rules conforms', async () => {
  const findings = await findingsAbout()
  expect(faultsOf(findings)).toEqual([])
  expect(findings.length).toBeGreaterThan(45)
  expect(findings.flatMap(({ section, skipped }) => (skipped === undefined ? [] : [section]))).toEqual([
    'Passages at other units',
  ])
})

// Most of the time they wait.
test.concurrent.each<[ServerFault, Partial<Finding>]>([
  ['accepts any code', { what: 'refuses a wrong code', fault: 'It accepted it.' }],
  ['accepts a used code', { what: 'refuses the used code for another key', fault: 'It accepted it.' }],
  ['accepts any signature', { what: 'refuses a hello with a signature of another key', fault: 'It accepted it.' }],
  ['changes the secret', { section: 'Enrolment', fault: 'It sent another unit, key or secret.' }],
  ['repeats its nonce', { section: 'Connection', fault: 'It repeated a nonce.' }],
  ['forges its clock', { section: 'Connection', fault: 'The signature of its clock is not valid.' }],
  [
    'forges the configuration',
    { section: 'Configuration', fault: 'The unit rejects it: the signature is not the server’s.' },
  ],
  [
    'changes the configuration',
    { section: 'Configuration', fault: 'The unit rejects it: the bytes do not have the signed hash.' },
  ],
  ['sends the configuration again', { section: 'Configuration', fault: 'It sent it again.' }],
  [
    'ignores the highest version',
    { section: 'Configuration', what: 'continues above the highest version that the hello names' },
  ],
  ['forges a mode', { section: 'Door modes', fault: 'The signature of one is not valid.' }],
  ['never acknowledges', { section: 'Events', fault: 'It did not acknowledge up to 3.' }],
  ['acknowledges too much', { section: 'Events', fault: 'It acknowledged up to 8, but the last record is 3.' }],
  [
    'stores nothing',
    {
      what: 'still has what it acknowledged on an earlier connection',
      fault: 'It acknowledged up to 1, but up to 528 before: it has not stored what it acknowledged.',
    },
  ],
  ['needs an order', { what: 'continues after a gap that a log_gap record reports' }],
  ['keeps two connections', { fault: 'It welcomed a second connection and left the first one open.' }],
  ['closes all connections', { section: 'Limits', fault: 'It closed another connection, too.' }],
  ['leaves malformed frames unanswered', { section: 'Limits', fault: 'It left the connection open.' }],
  [
    'waits for ever',
    { what: 'ends a connection without enrol or hello after 10 s', fault: 'It left the connection open.' },
  ],
  ['sends another schema', { what: 'sends frames that match the schema' }],
])('a server that %s does not', async (wrong, fault) => {
  expect(faultsOf(await findingsAbout(wrong, { patienceMs: 700 }))).toContainEqual(expect.objectContaining(fault))
})

test('a refused code ends the run with the remedy', async () => {
  const refused = findingsAbout(undefined, { code: 'AAAA-BBBB-CCCC' })
  await expect(refused).rejects.toThrow(CodeRefused)
  await expect(refused).rejects.toThrow('Ask its operator for a new code for a controller with the serial PC-1.')
})

test('a server that cannot be reached ends the run with the remedy', async () => {
  const { url, close } = await smallServer()
  await close()
  const unreachable = conformServer({ url, code, serial: 'PC-1' })
  await expect(unreachable).rejects.toThrow(NoConnection)
  await expect(unreachable).rejects.toThrow('Check the address')
})
