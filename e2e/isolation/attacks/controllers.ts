import { setTimeout as delay } from 'node:timers/promises'
import { generateKeys } from '@portcullis/controllers/keys'
import { v7 as uuidv7 } from 'uuid'
import { AnswerCounts, type Attack, attackMs } from '../attack.ts'
import type { Estate } from '../estate.ts'
import { repeatFor } from '../raw-request.ts'
import { accessRecord, connectUnit, eventLog, helloOf, maxRecords, openUnit } from '../test-unit.ts'

const maxVersion = 2_147_483_646
const now = () => new Date().toISOString()

/** Wrong reports of a faulty controller about itself, each with a valid signature. */
const implausible = [
  { highestVersion: maxVersion },
  { highestVersion: 2_147_483_647 },
  { highestVersion: -1 },
  { highestVersion: Number.MAX_SAFE_INTEGER },
  { applied: { version: maxVersion, hash: 'f'.repeat(64) }, highestVersion: maxVersion },
  { at: '0001-01-01T00:00:00.000Z' },
  { at: '9999-12-31T23:59:59.999Z' },
  { capacity: { doors: 0, credentials: 0, schedules: 0, events: 0 } },
  { capacity: { doors: 2 ** 31 - 1, credentials: 2 ** 31 - 1, schedules: 2 ** 31 - 1, events: 2 ** 31 - 1 } },
  { firmware: '\0\ud800'.repeat(40) },
]

/** Records that the server cannot read, with clocks that are wrong. */
const oddRecords = [
  null,
  {},
  'x'.repeat(1_000),
  { type: 'access', at: 'yesterday' },
  { ...accessRecord('4712'), at: '0000-01-01T00:00:00Z' },
  { ...accessRecord('4712'), at: '9999-12-31T23:59:59.999999999Z' },
  { ...accessRecord('4712'), at: '1970-01-01T00:00:00Z' },
  { ...accessRecord('4712'), door: 2 ** 31 - 1 },
  { ...accessRecord('4712'), configVersion: -(2 ** 31) - 1 },
  { ...accessRecord('4712'), configVersion: maxVersion },
  { ...accessRecord('\0\ud800'), number: '\0\ud800' },
  { type: 'unit', at: now(), configVersion: null, what: 'log_gap', detail: '\u202e'.repeat(500) },
  Array.from({ length: 50 }, (_, index) => ({ [`k${index}`]: index })),
]

export const controllerAttacks: readonly Attack[] = [
  {
    name: 'handshakes with bad signatures, while a valid controller connects from the same address',
    sends:
      'hello in the name of Harbour’s controller with another key, 30 at once, and 120 at once that close after 10 ms; Ravine’s controller 5 times',
    run: async ({ url, harbour, ravine }) => {
      const counts = new AnswerCounts()
      const { privateKey } = generateKeys()
      const isOver = { yet: false }
      const connecting = connectInTurn({ url, ravine }, isOver)
      const leaving = repeatFor({ ms: 2 * attackMs, atOnce: 120 }, async () => {
        try {
          const peer = await openUnit(url)
          peer.send(helloOf(peer, { ...harbour.unit, privateKey }))
          await delay(10)
          await peer.close()
          counts.add('left')
        } catch {
          counts.add('not connected')
        }
      })
      await repeatFor({ ms: 2 * attackMs, atOnce: 30 }, async () => {
        try {
          const peer = await openUnit(url)
          peer.send(helloOf(peer, { ...harbour.unit, privateKey }))
          await peer.waitFor(({ type }) => type === 'welcome').catch(() => {})
          counts.add(
            peer.received.flatMap((frame) => (frame.type === 'refused' ? [frame.code] : [])).at(-1) ?? 'cut off',
          )
        } catch {
          counts.add('not connected')
        }
      })
      await leaving
      isOver.yet = true
      const { times, failures } = await connecting
      const slowest = Math.round(Math.max(...times, 0))
      const happened = `${counts.sentence()}; valid: ${times.length} times, slowest ${slowest} ms`
      const faults = times.length === 0 ? ['no valid controller could connect'] : failures
      return {
        happened,
        faults: [...faults, ...counts.unexpected(['bad_signature', 'left', 'cut off', 'not connected'])],
      }
    },
  },
  {
    name: 'hello with highestVersion 2147483646 and implausible values',
    sends: `${implausible.length} kinds of hello over valid signatures, each 3 times`,
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      for (const change of [...implausible, ...implausible, ...implausible]) {
        const peer = await openUnit(url)
        peer.send({ ...helloOf(peer, ravine.unit), ...change })
        const answer = await peer.waitFor(({ type }) => type === 'welcome' || type === 'refused').catch(() => undefined)
        counts.add(answer?.type === 'refused' ? answer.code : (answer?.type ?? `closed with ${peer.closeCode}`))
        await delay(100)
        await peer.close()
      }
      return counts.outcome(['welcome', 'malformed'])
    },
  },
  {
    name: 'flood of heartbeats and frames by a controller',
    sends: '200,000 heartbeats, applied versions and results of commands, as fast as the server reads',
    run: async ({ url, ravine }) => {
      const unit = await connectUnit(url, ravine.unit)
      const frames = [
        { type: 'heartbeat', at: now(), pendingEvents: 2 ** 31 - 1, applied: null },
        { type: 'configApplied', version: maxVersion, hash: '0'.repeat(64) },
        { type: 'configRejected', version: 1, reason: 'no room'.repeat(70) },
        { type: 'commandResult', id: uuidv7(), outcome: 'done' },
        { type: 'doorModeApplied', door: 64, version: maxVersion },
      ].map((frame) => JSON.stringify(frame))
      for (let count = 0; count < 200_000; count += 1) unit.sendText(frames[count % frames.length] ?? '')
      await delay(2 * attackMs)
      const acknowledged = unit.received.filter(({ type }) => type === 'heartbeatAck').length
      const happened = unit.closeCode === undefined ? 'throttled' : `closed with ${unit.closeCode}`
      void unit.close()
      // As many as the server reads at once and in this time, and as many again for the time until this process counts them.
      const maxRead = 2 * (1_000 + (100 * 2 * attackMs) / 1_000)
      const faults = acknowledged * frames.length > maxRead ? ['the flood was not throttled'] : []
      return { happened: `${acknowledged} heartbeats answered, ${happened}`, faults }
    },
  },
  {
    name: 'unreadable records, wrong clocks, huge sequences',
    sends: `${oddRecords.length} kinds of record, ${maxRecords} a frame, one of 80,000 parts, and sequences up to 2^53`,
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      const unit = await connectUnit(url, ravine.unit)
      const log = eventLog(unit)
      for (const body of [...oddRecords, Array.from({ length: 80_000 }, () => ({}))]) {
        await log.record(body).then(
          () => counts.add('record acknowledged'),
          (error: unknown) => counts.add(String(error)),
        )
      }
      let seq = 0
      const logId = uuidv7()
      for (let frame = 0; frame < 20; frame += 1) {
        const records = Array.from({ length: maxRecords }, () => ({
          seq: (seq += 1),
          body: oddRecords[seq % oddRecords.length],
        }))
        unit.send({ type: 'events', logId, records })
      }
      await unit
        .waitFor((answer) => answer.type === 'ack' && answer.logId === logId && answer.upTo >= seq)
        .then(
          () => counts.add('log acknowledged'),
          (error: unknown) => counts.add(String(error)),
        )
      await unit.close()
      for (const huge of [0, -1, 2 ** 31, 2 ** 53 - 1, 2 ** 53]) {
        const peer = await connectUnit(url, ravine.unit)
        const since = peer.received.length
        peer.send({ type: 'events', logId: uuidv7(), records: [{ seq: huge, body: accessRecord('4712') }] })
        const answer = await peer
          .waitFor(({ type }) => type === 'ack' || type === 'refused', since)
          .catch(() => undefined)
        counts.add(answer?.type === 'refused' ? answer.code : (answer?.type ?? `closed with ${peer.closeCode}`))
        await peer.close()
      }
      return counts.outcome(['record acknowledged', 'log acknowledged', 'ack', 'malformed', 'unexpected'])
    },
  },
]

async function connectInTurn({ url, ravine }: Pick<Estate, 'url' | 'ravine'>, isOver: { yet: boolean }) {
  const times: number[] = []
  const failures: string[] = []
  while (!isOver.yet && times.length < 5) {
    const since = performance.now()
    try {
      const unit = await connectUnit(url, ravine.unit)
      times.push(performance.now() - since)
      await unit.close()
    } catch (error) {
      failures.push(`valid controller: ${error instanceof Error ? error.message : String(error)}`)
    }
    await delay(500)
  }
  return { times, failures }
}
