import { setTimeout as delay } from 'node:timers/promises'
import type { Estate } from './estate.ts'
import { type Figures, figuresOf } from './live-figures.ts'
import { request } from './request.ts'
import { accessRecord, connectUnit, eventLog, type TestUnit } from './test-unit.ts'

const work = ['list events', 'save an item', 'send an event', 'get a configuration'] as const
type Work = (typeof work)[number]
export type BystanderReport = { figures: Record<Work, Figures>; failures: string[] }

const pauseMs = 100
const heartbeatMs = 10_000

/**
 * An operator of Harbour who lists events and saves an item, and Harbour's controller, which sends events and gets a
 * configuration, repeatedly until `stop`.
 */
export async function startBystander({ url, harbour }: Estate) {
  const headers = { cookie: harbour.admin.cookie, 'x-js-account': harbour.ref }
  let unit = await connectUnit(url, harbour.unit)
  let log = eventLog(unit)
  await applyNewest(unit)
  let times: Record<Work, number[]> = {
    'list events': [],
    'save an item': [],
    'send an event': [],
    'get a configuration': [],
  }
  let failures: string[] = []
  let isStopped = false
  let turn = 0
  const heartbeat = setInterval(() => {
    if (unit.closeCode === undefined)
      unit.send({ type: 'heartbeat', at: new Date().toISOString(), pendingEvents: 0, applied: null })
  }, heartbeatMs)
  const lines = [
    repeat('list events', listEvents),
    repeat('save an item', saveContact),
    repeat('send an event', sendEvent),
    repeat('get a configuration', getConfiguration),
  ]
  return {
    /** The times since the last call. */
    report(): BystanderReport {
      const figures = {
        'list events': figuresOf(times['list events']),
        'save an item': figuresOf(times['save an item']),
        'send an event': figuresOf(times['send an event']),
        'get a configuration': figuresOf(times['get a configuration']),
      }
      const report = { figures, failures }
      times = { 'list events': [], 'save an item': [], 'send an event': [], 'get a configuration': [] }
      failures = []
      return report
    },
    async stop() {
      isStopped = true
      clearInterval(heartbeat)
      await Promise.all(lines)
      await unit.close()
    },
  }

  async function repeat(name: Work, once: () => Promise<void>) {
    while (!isStopped) {
      const since = performance.now()
      try {
        await once()
        times[name].push(performance.now() - since)
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        if (unit.closeCode !== undefined) await reconnect().catch(() => {})
      }
      await delay(name === 'get a configuration' ? 10 * pauseMs : pauseMs)
    }
  }

  async function reconnect() {
    unit = await connectUnit(url, harbour.unit)
    log = eventLog(unit)
  }

  async function listEvents() {
    const { status } = await request({ url, path: '/api/events?size=20', headers })
    if (status !== 200) throw new Error(`status ${status}`)
  }

  async function saveContact() {
    const body = { note: `Call number ${(turn += 1)}` }
    const { status } = await request({ url, method: 'PATCH', path: `/api/contacts/${harbour.contact}`, headers, body })
    if (status !== 200) throw new Error(`status ${status}`)
  }

  function sendEvent() {
    return log.record(accessRecord(harbour.card))
  }

  /** A changed door is a new configuration, which the controller receives and applies. */
  async function getConfiguration() {
    const since = unit.received.length
    const body = { relockAfterSeconds: 5 + ((turn += 1) % 500) }
    const { status } = await request({ url, method: 'PATCH', path: `/api/doors/${harbour.door}`, headers, body })
    if (status !== 200) throw new Error(`status ${status}`)
    await applyNewest(unit, since)
  }
}

async function applyNewest(unit: TestUnit, since = 0) {
  const frame = await unit.waitFor(({ type }) => type === 'config', since)
  if (frame.type === 'config') unit.send({ type: 'configApplied', version: frame.version, hash: frame.hash })
}
