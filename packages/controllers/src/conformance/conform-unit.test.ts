import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VirtualUnit } from '../virtual-unit.ts'
import { conformUnit } from './conform-unit.ts'
import { faultyCards } from './faulty-cards.ts'
import { faultyConnections } from './faulty-connections.ts'
import { faultyLogs } from './faulty-logs.ts'
import { faultyOrders } from './faulty-orders.ts'
import { changes } from './faulty-unit.ts'
import type { Finding } from './findings.ts'
import { type Tamper, tamperingProxy } from './tampering-proxy.ts'
import type { Operator } from './unit-under-test.ts'

const ruleOf = ({ section, what }: Finding) => `${section}: ${what}`
const runs: Promise<unknown>[] = []
afterAll(() => Promise.all(runs))

type About = { patienceMs?: number; isPlain?: boolean; rule?: string; onCard?: NonNullable<Operator['onCard']> }

/**
 * What the kit finds about the virtual controller, whose frames pass through a proxy that changes some. `isPlain`: no card
 * is presented, and its log is as large as usual. With a `rule`, only the faults of this one, once it has one.
 */
async function findingsAbout(
  tamper: Tamper = {},
  { patienceMs = 20_000, isPlain = false, rule, onCard = () => {} }: About = {},
) {
  const dir = await mkdtemp(join(tmpdir(), 'conform-'))
  const ends: (() => unknown)[] = [() => rm(dir, { recursive: true, force: true })]
  const ready = Promise.withResolvers<{ url: string; code: string }>()
  let present: NonNullable<Operator['onCard']> = () => {}
  const found = Promise.withResolvers<Finding[]>()
  const run = conformUnit({
    patienceMs,
    quietMs: 300,
    onReady: ready.resolve,
    operator: isPlain ? {} : { onCard: (card) => present(card) },
    onFinding: (finding) => {
      if (ruleOf(finding) === rule && finding.fault !== null) found.resolve([finding])
    },
  })
  runs.push(run)
  try {
    const { url, code } = await ready.promise
    const proxy = await tamperingProxy(url, tamper)
    ends.unshift(() => proxy.close())
    const pace = { openAfterMs: 1, closeAfterMs: 1 }
    const unit = new VirtualUnit({
      dir,
      serial: 'PC-1',
      url: proxy.url,
      pace,
      ...(isPlain ? {} : { faults: { maxEvents: 32 } }),
    })
    present = (card) => {
      onCard(card)
      void unit.present({ door: 1, direction: 'entry', kind: 'card', number: '4711' })
    }
    ends.unshift(() => {
      // The kit may still ask for a card.
      present = () => {}
      return unit.stop()
    })
    await unit.start()
    // A refused enrolment is among the findings.
    unit.enrol(code).catch(() => {})
    return await Promise.race([run, found.promise])
  } finally {
    for (const end of ends) await end()
  }
}

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ fault }) => fault !== null)

let findings: Finding[]
const cards: unknown[] = []
beforeAll(async () => {
  findings = await findingsAbout({}, { onCard: (card) => cards.push(card) })
}, 60_000)

test('the virtual controller conforms', () => {
  expect(faultsOf(findings)).toEqual([])
  expect(findings.filter(({ skipped }) => skipped !== undefined)).toEqual([])
})

test('the kit announces how many times it asks for a card at most', () => {
  expect(cards).toEqual(Array.from({ length: 11 }, (_, index) => ({ nth: index + 1, most: 11 })))
})

test('the kit skips the rules that need a card or a small log', async () => {
  const skipped = (await findingsAbout({}, { isPlain: true })).filter((finding) => finding.skipped !== undefined)
  const counts = Object.entries(Object.groupBy(skipped, ({ section }) => section))
  expect(counts.map(([section, rules = []]) => [section, rules.length])).toEqual([
    ['Events', 1],
    ['Approval', 3],
    ['Passages at other units', 2],
    ['Unlock schedules', 2],
    ['Door modes', 3],
  ])
  expect([...new Set(skipped.map((finding) => finding.skipped))]).toEqual([
    'it has room for 100000 events; give it room for at most 1000 for this rule',
    'no card was presented',
  ])
})

const faultyUnits = [...faultyConnections, ...faultyLogs, ...faultyOrders, ...faultyCards]

// Most of the time they wait.
test.concurrent.each(faultyUnits)('a unit that %s does not', async (_, tamper, rule, fault) => {
  const faults = faultsOf(await findingsAbout(tamper(), { patienceMs: 3_000, rule }))
  expect(faults.find((finding) => ruleOf(finding) === rule)?.fault).toContain(fault)
})

test('a unit whose hello has no list of blocked credentials gets none', async () => {
  const received: unknown[] = []
  const found = await findingsAbout({
    toServer: (frame) => ({ ...frame, blocked: undefined }),
    toUnit: (frame) => {
      received.push(frame['type'])
      return frame
    },
  })
  expect(faultsOf(found)).toEqual([])
  const skipped = found.filter((finding) => finding.skipped !== undefined)
  expect(skipped.map(({ section }) => section)).toEqual(['Ended access', 'Ended access', 'Ended access'])
  expect(received).toContain('doorMode')
  expect(received).not.toContain('blocklist')
})

test('a fault of a later connection is the only finding of its rule', async () => {
  let hellos = 0
  const tamper = changes('hello', (frame) => (++hellos > 2 ? { ...frame, nonce: 'A'.repeat(44) } : frame))
  const rules = (await findingsAbout(tamper, { patienceMs: 1_500 })).map(ruleOf)
  expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([])
})

test('each rule for units has a unit that breaks it', () => {
  const broken = faultyUnits.map(([, , rule]) => rule)
  expect(findings.map(ruleOf).filter((rule) => !broken.includes(rule))).toEqual([])
})
