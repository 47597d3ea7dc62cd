import { expect, test } from 'vitest'
import { CodeRefused, conformServer } from './conform-server.ts'
import type { Finding } from './findings.ts'
import { NoConnection } from './server-session.ts'
import { code, type ServerFault, smallServer } from './small-server.ts'

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
  expect(findings.filter(({ skipped }) => skipped !== undefined)).toEqual([])
})

const forgedClock = 'The signature of its clock is not valid.'
const forged = 'The signature of one is not valid.'
const leftOpen = 'It left the connection open.'

/** What a server does wrong, and the fault of each rule (section and `what` of the finding) that reports it. */
const faultyServers: [ServerFault, Record<string, string>][] = [
  ['accepts any code', { 'Enrolment: refuses a wrong code': 'It accepted it.' }],
  ['accepts a used code', { 'Enrolment: refuses the used code for another key': 'It accepted it.' }],
  [
    'accepts any signature',
    {
      'Enrolment: refuses the code with a signature of another key': 'It accepted it.',
      'Connection: refuses a hello with a signature of another key': 'It accepted it.',
      'Connection: refuses a hello that is signed over another nonce': 'It accepted it.',
    },
  ],
  ['does not enrol', { 'Enrolment: enrols the unit with the code': 'It sent no enrolled frame.' }],
  [
    'changes the secret',
    { 'Enrolment: answers the same to the unit that repeats its enrolment': 'It sent another unit, key or secret.' },
  ],
  ['welcomes any unit', { 'Connection: refuses a unit that is not enrolled': 'It accepted it.' }],
  [
    'welcomes once',
    {
      'Connection: welcomes the unit again after a malformed frame': 'It did not welcome the unit.',
      'Connection: welcomes the unit again after a too long frame': 'It did not welcome the unit.',
      'Connection: welcomes the unit again after a cut': 'It did not welcome the unit.',
    },
  ],
  ['answers before the hello', { 'Connection: refuses other frames before the hello': 'It accepted it.' }],
  [
    'repeats its nonce',
    { 'Connection: sends a challenge, with another nonce on each connection': 'It repeated a nonce.' },
  ],
  ['forges its clock', { 'Connection: welcomes the unit on that connection, its clock signed': forgedClock }],
  [
    'forges the clock of heartbeats',
    { 'Heartbeats: answers with its clock, signed over the time of the heartbeat': forgedClock },
  ],
  [
    'ignores wrong clocks',
    {
      'Heartbeats: answers a unit whose clock says 1970': 'It did not answer.',
      'Heartbeats: answers a unit whose clock says 2038': 'It did not answer.',
      'Heartbeats: answers a unit whose clock says 2099': 'It did not answer.',
    },
  ],
  ['refuses unknown fields', { 'Versions: ignores fields that it does not know': 'It closed the connection.' }],
  [
    'ignores requested heartbeats',
    { 'Heartbeats: continues after a heartbeat that it has requested': 'It did not answer.' },
  ],
  [
    'forges the configuration',
    {
      'Configuration: sends a whole one to a unit without one, signed, with the right hash':
        'The unit rejects it: bad_signature.',
    },
  ],
  [
    'changes the configuration',
    {
      'Configuration: sends a whole one to a unit without one, signed, with the right hash':
        'The unit rejects it: bad_hash.',
    },
  ],
  ['sends the configuration again', { 'Configuration: sends none again that the unit applies': 'It sent it again.' }],
  [
    'ignores the applied version',
    {
      'Configuration: sends none that the hello names as applied':
        'The unit rejects it: old_version: 2 is not above 2.',
    },
  ],
  [
    'ignores the highest version',
    { 'Configuration: continues above the highest version that the hello names': 'is not above' },
  ],
  [
    'changes a delta',
    { 'Configuration: sends deltas whose result has the hash that they name': 'The unit rejects it: result_differs.' },
  ],
  [
    'forges all but the configuration',
    {
      'Door modes: signs each doorMode frame for this unit': forged,
      'Commands: signs each command frame for this unit': forged,
      'Passages at other units: signs each passages frame for this unit': forged,
      'Ended access: signs each blocklist frame for this unit': forged,
      'Interlocks with other units: answers whether a door may be released, signed for the unit':
        'The signature is not valid.',
    },
  ],
  [
    'ignores interlocks',
    {
      'Interlocks with other units: answers whether a door may be released, signed for the unit': 'It did not answer.',
    },
  ],
  [
    'acknowledges early',
    { 'Events: acknowledges nothing that has not arrived': 'It acknowledged up to 3 before the first record.' },
  ],
  ['never acknowledges', { 'Events: acknowledges records after they arrive': 'It did not acknowledge up to 3.' }],
  [
    'acknowledges once',
    {
      'Events: acknowledges records again that it has': 'It did not acknowledge up to 3.',
      'Events: acknowledges several frames that were sent at once, in order': 'It did not acknowledge up to 7.',
      'Events: acknowledges the records of a frame in another order': 'It did not acknowledge up to 10.',
      'Events: continues after a gap that a log_gap record reports': 'It did not acknowledge up to 15.',
      'Events: continues after a gap that no record reports': 'It did not acknowledge up to 19.',
      'Events: acknowledges records that it cannot read': 'It did not acknowledge up to 25.',
      'Events: acknowledges records of a clock that says 1970': 'It did not acknowledge up to 26.',
      'Events: acknowledges records of a clock that says 2038': 'It did not acknowledge up to 27.',
      'Events: acknowledges records of a clock that says 2099': 'It did not acknowledge up to 28.',
      'Events: acknowledges 500 records in a frame': 'It did not acknowledge up to 528.',
      'Events: continues after the acknowledged sequence': 'It did not acknowledge up to 529.',
    },
  ],
  [
    'acknowledges too much',
    { 'Events: acknowledges records after they arrive': 'It acknowledged up to 8, but the last record is 3.' },
  ],
  [
    'stores nothing',
    {
      'Events: acknowledges a record of the gap that arrives late': 'It acknowledged up to 17, after 19.',
      'Events: still has what it acknowledged on an earlier connection':
        'It acknowledged up to 1, but up to 528 before: it has not stored what it acknowledged.',
    },
  ],
  [
    'needs an order',
    { 'Events: continues after a gap that a log_gap record reports': 'It did not acknowledge up to 15.' },
  ],
  [
    'keeps two connections',
    {
      'Connection: keeps one live connection of a unit': 'It welcomed a second connection and left the first one open.',
    },
  ],
  [
    'closes all connections',
    {
      'Limits: closes only the connection with a malformed frame': 'It closed another connection, too.',
      'Limits: closes only the connection with a too long frame': 'It closed another connection, too.',
    },
  ],
  [
    'leaves malformed frames unanswered',
    {
      'Limits: closes only the connection with a malformed frame': leftOpen,
      'Limits: closes only the connection with a too long frame': leftOpen,
      'Limits: closes a connection whose first frame is too long': leftOpen,
    },
  ],
  ['waits for ever', { 'Connection: ends a connection without enrol or hello after 10 s': leftOpen }],
  ['sends another schema', { 'Connection: sends frames that match the schema': 'upTo' }],
]

const ruleOf = ({ section, what }: Finding) => `${section}: ${what}`

// Most of the time they wait.
test.concurrent.each(faultyServers)('a server that %s does not', async (wrong, expected) => {
  const faults = faultsOf(await findingsAbout(wrong, { patienceMs: 700 }))
  for (const [rule, fault] of Object.entries(expected))
    expect(faults.find((finding) => ruleOf(finding) === rule)?.fault, rule).toContain(fault)
})

test('each rule for servers has a server that breaks it', async () => {
  const broken = new Set(faultyServers.flatMap(([, expected]) => Object.keys(expected)))
  expect((await findingsAbout()).map(ruleOf).filter((rule) => !broken.has(rule))).toEqual([])
})

test('a refused code ends the run with the remedy', async () => {
  const refused = findingsAbout(undefined, { code: 'AAAA-BBBB-CCCC' })
  await expect(refused).rejects.toThrow(CodeRefused)
  await expect(refused).rejects.toThrow('The test needs a new code for a controller with the serial PC-1.')
})

test('a server that cannot be reached ends the run with the remedy', async () => {
  const { url, close } = await smallServer()
  await close()
  const unreachable = conformServer({ url, code, serial: 'PC-1' })
  await expect(unreachable).rejects.toThrow(NoConnection)
  await expect(unreachable).rejects.toThrow('Check the address')
})
