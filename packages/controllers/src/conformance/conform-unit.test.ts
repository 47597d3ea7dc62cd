import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { VirtualUnit } from '../virtual-unit.ts'
import { conformUnit } from './conform-unit.ts'
import type { Finding } from './findings.ts'
import { type Tamper, tamperingProxy } from './tampering-proxy.ts'

/** What the kit finds about the virtual controller, whose frames pass through a proxy that changes some. */
async function findingsAbout(tamper: Tamper = {}, patienceMs = 20_000): Promise<Finding[]> {
  const dir = await mkdtemp(join(tmpdir(), 'conform-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return conformUnit({
    patienceMs,
    onReady: ({ url, code }) => void connect(url, code),
  })

  async function connect(url: string, code: string) {
    const proxy = await tamperingProxy(url, tamper)
    onTestFinished(proxy.close)
    const unit = new VirtualUnit({ dir, serial: 'PC-1', url: proxy.url, pace: { openAfterMs: 1, closeAfterMs: 1 } })
    onTestFinished(() => unit.stop())
    await unit.start()
    await unit.enrol(code).catch(() => {})
  }
}

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ fault }) => fault !== null)

test('the virtual controller conforms', async () => {
  const findings = await findingsAbout()
  expect(faultsOf(findings)).toEqual([])
  expect(findings.length).toBeGreaterThan(21)
  expect(findings.filter(({ skipped }) => skipped !== undefined)).toEqual([])
})

test.each<[string, Tamper, Partial<Finding>]>([
  [
    'a signature that is not its own',
    { toServer: (frame) => (frame['type'] === 'hello' ? { ...frame, signature: 'AAAA' } : frame) },
    { section: 'Connection', fault: 'The signature is not valid.' },
  ],
  [
    'a gap in its numbers',
    {
      toServer: (frame) => (frame['type'] === 'events' ? { ...frame, records: [{ seq: 3, body: {} }] } : frame),
    },
    { section: 'Events', fault: 'The first number of a new log is 3, not 1.' },
  ],
  [
    'silence about a configuration that it rejects',
    { toServer: (frame) => (frame['type'] === 'configRejected' ? undefined : frame) },
    { section: 'Configuration', fault: 'It did not answer that it rejects it.' },
  ],
  [
    'silence about a delta that it cannot apply',
    {
      toServer: (frame) =>
        frame['type'] === 'configRejected' && frame['reason'] === 'base_unknown' ? undefined : frame,
    },
    {
      what: 'refuses a delta from a configuration that it does not apply',
      fault: 'It did not answer that it rejects it.',
    },
  ],
  [
    'silence about a delta with another result',
    {
      toServer: (frame) =>
        frame['type'] === 'configRejected' && frame['reason'] === 'result_differs' ? undefined : frame,
    },
    {
      what: 'refuses a delta whose result has another hash than it names',
      fault: 'It did not answer that it rejects it.',
    },
  ],
  [
    'the hash of the delta instead of that of the whole',
    {
      toServer: (frame) =>
        frame['type'] === 'configApplied' && frame['version'] === 6 ? { ...frame, hash: 'f'.repeat(64) } : frame,
    },
    {
      what: 'applies a delta and confirms the hash of the whole configuration',
      fault: 'It confirmed another hash.',
    },
  ],
  [
    'a frame that does not match the schema',
    { toServer: (frame) => (frame['type'] === 'heartbeat' ? { ...frame, pendingEvents: 'none' } : frame) },
    { section: 'Connection', what: 'sends frames that match the schema' },
  ],
  [
    'a command that it says it has run although it is late',
    { toServer: (frame) => (frame['outcome'] === 'expired' ? { ...frame, outcome: 'done' } : frame) },
    { section: 'Commands', fault: 'It answered done instead of expired.' },
  ],
  [
    'a mode that it does not confirm',
    { toServer: (frame) => (frame['type'] === 'doorModeApplied' ? undefined : frame) },
    { section: 'Door modes', fault: 'It did not confirm the mode.' },
  ],
  [
    'records that it sends again after they were acknowledged',
    { toServer: (frame) => (frame['type'] === 'events' ? { ...frame, records: [{ seq: 1, body: {} }] } : frame) },
    { section: 'Commands', fault: 'It sent record 1 again after it was acknowledged.' },
  ],
])('a unit with %s does not', async (_, tamper, fault) => {
  expect(faultsOf(await findingsAbout(tamper, 1_500))).toContainEqual(expect.objectContaining(fault))
})
