import { randomBytes } from 'node:crypto'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { checkCards } from './conform-cards.ts'
import { checkInterlocks } from './conform-interlocks.ts'
import { checkFullLog } from './conform-full-log.ts'
import { blocklists, checkNextHello } from './conform-hello.ts'
import { checkServerKey } from './conform-server-key.ts'
import { type Finding, Findings } from './findings.ts'
import { SeenLogs } from './seen-logs.ts'
import { listenForUnit, type UnitSession } from './unit-session.ts'
import { type Operator, UnitUnderTest, unlockedBy } from './unit-under-test.ts'

type ConformUnit = {
  /** The IPv4 address at which the kit listens: `0.0.0.0` for all of this machine; without it, only the loopback. */
  host?: string | undefined
  port?: number | undefined
  /** The enrolment code; without it, a new one for each run. */
  code?: string | undefined
  /** How long the unit may take for each answer. */
  patienceMs?: number
  /** How long the unit has to do what it must not do. */
  quietMs?: number
  /** Called once the kit listens: the unit must now enrol there with this code. */
  onReady: (how: { url: string; code: string }) => void
  /** Without `onCard`, the rules that need a card are skipped. */
  operator?: Operator
  onFinding?: (finding: Finding) => void
}

type Events = Extract<UnitFrame, { type: 'events' }>

/** Plays the server against a unit, and checks each rule of the protocol that can be seen from outside. */
export async function conformUnit({
  code = newCode(),
  patienceMs = 20_000,
  quietMs = 1_500,
  onReady,
  operator = {},
  onFinding,
  ...address
}: ConformUnit) {
  const findings = new Findings(onFinding)
  const logs = new SeenLogs()
  const listener = await listenForUnit({
    ...address,
    onInvalid: (fault) => findings.addInvalid(fault),
    onEvents: (events) => logs.see(events),
  })
  onReady({ url: listener.url, code })
  try {
    const first = await listener.next(6 * patienceMs)
    if (!first) findings.report({ section: 'Connection', what: 'connects', fault: 'It did not connect.' })
    else if (await checkAll(new UnitUnderTest({ listener, findings, code, patienceMs, quietMs, operator }), first)) {
      findings.report({ section: 'Events', what: 'numbers each log from 1 without gaps', fault: logs.fault })
      findings.reportSchema()
    }
    return findings.list
  } finally {
    await listener.close()
  }
}

/** Returns whether the unit stayed until the end. */
async function checkAll(unit: UnitUnderTest, first: UnitSession) {
  const { findings } = unit
  if (
    !(await findings.check('Enrolment', 'enrols with the code, signed with its key', () => unit.expectEnrolment(first)))
  )
    return false
  if (!(await findings.check('Connection', 'says hello, signed over the nonce', () => unit.expectHello(first))))
    return false
  const isThere = await checkConnections(unit, first)
  const what = 'connects again after each cut, with a new nonce'
  findings.report({ section: 'Connection', what, fault: unit.reconnectFault })
  return isThere
}

/** Returns whether the unit stayed until the last connection. */
async function checkConnections(unit: UnitUnderTest, first: UnitSession) {
  const { findings } = unit
  const unacknowledged = await checkFirstConnection(unit, first)
  const second = await unit.reconnect(first)
  if (!second) return false
  await findings.check('Events', 'sends again what was not acknowledged', () =>
    repeatsRecords({ unit, session: second, missed: unacknowledged }),
  )
  await checkConfigurations(unit, second)
  await checkCommands(unit, second)
  await checkInterlocks(unit, second)
  const third = await checkFullLog(unit, second)
  const fourth = third && (await checkServerKey(unit, third))
  const fifth = fourth && (await checkCards(unit, fourth))
  if (!fifth) return false
  const canBlock = unit.hello?.blocked !== undefined
  // The next checks wait for answers, so the unit has received these before the cut.
  if (canBlock) for (const list of blocklists(unit.server)) fifth.send(list)
  await checkModes(unit, fifth)
  await unit.reconnect(fifth)
  await checkNextHello(unit, canBlock)
  return true
}

/** Returns the records that the unit has sent, which are not acknowledged. */
async function checkFirstConnection(unit: UnitUnderTest, first: UnitSession) {
  const { findings, patienceMs } = unit
  await findings.check('Heartbeats', 'sends a heartbeat when it is welcomed', async () => {
    const beat = await first.next('heartbeat', patienceMs)
    if (!beat) return 'It sent no heartbeat.'
    first.send({ type: 'heartbeatAck', ...unit.server.clock(beat.at) })
    return null
  })
  await findings.check('Heartbeats', 'answers a request for a heartbeat', () => unit.expectHeartbeat(first))
  await findings.check('Connection', 'ignores frames of unknown types', async () => {
    first.sendText(JSON.stringify({ type: 'aFrameOfTheFuture', value: [1, 2, 3] }))
    return first.isOpen ? unit.expectHeartbeat(first) : 'It closed the connection.'
  })
  const unacknowledged = await first.next('events', patienceMs)
  await findings.check('Events', 'sends what it recorded, numbered from 1 without gaps', async () =>
    judgeRecords(unacknowledged),
  )
  return unacknowledged
}

function judgeRecords(frame: Events | undefined) {
  if (!frame) return 'It sent no events; record at least that the power is on.'
  const seqs = frame.records.map(({ seq }) => seq)
  if (seqs.some((seq, at) => seq !== (seqs[0] ?? 0) + at)) return `The numbers have a gap: ${seqs.join(', ')}.`
  if (seqs[0] !== 1) return `The first number of a new log is ${seqs[0]}, not 1.`
  const unread = frame.records.find(({ body }) => !unitRecord.safeParse(body).success)
  return unread ? `Record ${unread.seq} does not match the schema.` : null
}

type Repeating = { unit: UnitUnderTest; session: UnitSession; missed: Events | undefined }

async function repeatsRecords({ unit, session, missed }: Repeating) {
  const again = await session.next('events', unit.patienceMs)
  if (!again || !missed) return 'It did not send them again.'
  if (again.logId !== missed.logId) return 'It sent them in another log.'
  unit.acknowledge(session, again)
  return again.records[0]?.seq === missed.records[0]?.seq ? null : 'It began with another number.'
}

async function checkConfigurations(unit: UnitUnderTest, session: UnitSession) {
  const { findings, server } = unit
  const section = 'Configuration'
  await findings.check(section, 'refuses one that the server did not sign', async () => {
    unit.send(session, server.configuration({ version: 5, isForged: true }))
    return unit.expectRejected(session, { version: 5, code: 'bad_signature' })
  })
  await findings.check(section, 'refuses one whose bytes do not have the signed hash', async () => {
    unit.send(session, server.configuration({ version: 5, isChanged: true }))
    return unit.expectRejected(session, { version: 5, code: 'bad_hash' })
  })
  await findings.check(section, 'applies a signed one and confirms its hash', async () =>
    unit.expectApplied(session, { version: 5, hash: unit.send(session, server.configuration({ version: 5 })) }),
  )
  await findings.check(section, 'refuses a lower version', async () => {
    unit.send(session, server.configuration({ version: 4 }))
    return unit.expectRejected(session, { version: 4, code: 'old_version' })
  })

  /** A unit that does not announce deltas never gets one. */
  async function checkDelta(what: string, work: () => Promise<string | null>) {
    if (unit.hello?.deltas === true) await findings.check(section, what, work)
    else findings.skip(section, what, 'the unit does not announce deltas')
  }
  await checkDelta('refuses a delta from a configuration that it does not apply', async () => {
    unit.send(session, server.delta({ version: 6, base: 4 }))
    return unit.expectRejected(session, { version: 6, code: 'base_unknown' })
  })
  await checkDelta('refuses a delta whose result has another hash than it names', async () => {
    unit.send(session, server.delta({ version: 6, base: 5, isChanged: true }))
    return unit.expectRejected(session, { version: 6, code: 'result_differs' })
  })
  await checkDelta('applies a delta and confirms the hash of the whole configuration', async () =>
    unit.expectApplied(session, { version: 6, hash: unit.send(session, server.delta({ version: 6, base: 5 })) }),
  )
}

async function checkCommands(unit: UnitUnderTest, session: UnitSession) {
  const { findings, server } = unit
  const section = 'Commands'
  await findings.check(section, 'refuses one that the server did not sign', () =>
    unit.expectOutcome(session, server.command({ isForged: true }), 'refused'),
  )
  await findings.check(section, 'refuses one for another door than the configured one', () =>
    unit.expectOutcome(session, server.command({ doorId: '01890000-0000-7000-8000-0000000000ee' }), 'refused'),
  )
  await findings.check(section, 'never runs one after its time', () =>
    unit.expectOutcome(session, server.command({ at: new Date(Date.now() - 60_000).toISOString() }), 'expired'),
  )
  const valid = server.command({})
  await findings.check(section, 'opens the door for a signed one, and records it', async () => {
    const fault = await unit.expectOutcome(session, valid, 'done')
    if (fault !== null) return fault
    const missing = 'It did not record that it opened the door.'
    return (await unit.nextRecord(session, { until: unlockedBy(valid.id), missing })).fault
  })
  await findings.check(section, 'runs each one at most once', async () => {
    session.send(valid)
    const again = await session.next(
      'commandResult',
      unit.quietMs,
      ({ id, outcome }) => id === valid.id && outcome === 'done',
    )
    return again ? 'It ran the same command again.' : null
  })
}

async function checkModes(unit: UnitUnderTest, session: UnitSession) {
  const { findings, patienceMs, server } = unit
  const section = 'Door modes'
  await findings.check(section, 'ignores one that the server did not sign', async () => {
    session.send(server.doorMode({ version: 9, mode: 'blocked', isForged: true }))
    return (await session.next('doorModeApplied', unit.quietMs, ({ version }) => version === 9))
      ? 'It applied it.'
      : null
  })
  await findings.check(section, 'stores and confirms a lockdown, and then refuses commands', async () => {
    session.send(server.doorMode({ version: 6, mode: 'lockdown' }))
    const applied = await session.next('doorModeApplied', patienceMs, ({ version }) => version === 6)
    return applied ? unit.expectOutcome(session, server.command({}), 'refused') : 'It did not confirm the mode.'
  })
  await findings.check(section, 'keeps the mode when an earlier version arrives', async () => {
    session.send(server.doorMode({ version: 2, mode: 'normal' }))
    return unit.expectOutcome(session, server.command({}), 'refused')
  })
}

/** Such as `3F09-A1C4-77E2`. */
function newCode() {
  return [1, 2, 3].map(() => randomBytes(2).toString('hex').toUpperCase()).join('-')
}
