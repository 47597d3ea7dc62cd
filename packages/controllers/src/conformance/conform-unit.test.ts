import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VirtualUnit } from '../virtual-unit.ts'
import { conformUnit } from './conform-unit.ts'
import { faultyUnits } from './faulty-units.ts'
import type { Finding } from './findings.ts'
import { type Tamper, tamperingProxy } from './tampering-proxy.ts'

/** What the kit finds about the virtual controller, whose frames pass through a proxy that changes some. */
async function findingsAbout(tamper: Tamper = {}, patienceMs = 20_000): Promise<Finding[]> {
  const dir = await mkdtemp(join(tmpdir(), 'conform-'))
  const ends: (() => unknown)[] = [() => rm(dir, { recursive: true, force: true })]
  const ready = Promise.withResolvers<{ url: string; code: string }>()
  const run = conformUnit({ patienceMs, onReady: ready.resolve })
  try {
    const { url, code } = await ready.promise
    const proxy = await tamperingProxy(url, tamper)
    ends.unshift(() => proxy.close())
    const unit = new VirtualUnit({ dir, serial: 'PC-1', url: proxy.url, pace: { openAfterMs: 1, closeAfterMs: 1 } })
    ends.unshift(() => unit.stop())
    await unit.start()
    // A refused enrolment is among the findings.
    unit.enrol(code).catch(() => {})
    return await run
  } finally {
    for (const end of ends) await end()
  }
}

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ fault }) => fault !== null)

test('the virtual controller conforms', async () => {
  const findings = await findingsAbout()
  expect(faultsOf(findings)).toEqual([])
  expect(findings.filter(({ skipped }) => skipped !== undefined)).toEqual([])
})

const ruleOf = ({ section, what }: Finding) => `${section}: ${what}`

// Most of the time they wait.
test.concurrent.each(faultyUnits)('a unit that %s does not', async (_, tamper, rule, fault) => {
  const faults = faultsOf(await findingsAbout(tamper(), 1_500))
  expect(faults.find((finding) => ruleOf(finding) === rule)?.fault).toContain(fault)
})

test('a unit whose hello has no list of blocked credentials gets none', async () => {
  const received: unknown[] = []
  const findings = await findingsAbout({
    toServer: (frame) => ({ ...frame, blocked: undefined }),
    toUnit: (frame) => {
      received.push(frame['type'])
      return frame
    },
  })
  expect(faultsOf(findings)).toEqual([])
  const skipped = findings.filter((finding) => finding.skipped !== undefined)
  expect(skipped.map(({ section }) => section)).toEqual(['Ended access', 'Ended access', 'Ended access'])
  expect(received).toContain('doorMode')
  expect(received).not.toContain('blocklist')
})

test('each rule for units has a unit that breaks it', async () => {
  const broken = faultyUnits.map(([, , rule]) => rule)
  expect((await findingsAbout()).map(ruleOf).filter((rule) => !broken.includes(rule))).toEqual([])
})
