import { randomBytes, randomUUID } from 'node:crypto'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { enrolText, helloText } from '@portcullis/contract/unit-protocol/signed-texts'
import { isSigned } from '../keys.ts'
import { blocklists, checkNextHello } from './conform-hello.ts'
import { secret, SigningServer, unit } from './signing-server.ts'
import { type Finding, Findings } from './findings.ts'
import { listenForUnit, type UnitSession } from './unit-session.ts'

type ConformUnit = {
  /** The IPv4 address at which the kit listens: `0.0.0.0` for all of this machine; without it, only the loopback. */
  host?: string | undefined
  port?: number | undefined
  /** The enrolment code; without it, a new one for each run. */
  code?: string | undefined
  /** How long the unit may take for each answer. */
  patienceMs?: number
  /** Called once the kit listens: the unit must now enrol there with this code. */
  onReady: (how: { url: string; code: string }) => void
  onFinding?: (finding: Finding) => void
}

/** A unit has this long to do what it must not do. */
const quietMs = 1_500

/** Plays the server against a unit, and checks each rule of the protocol that can be seen from outside. */
export async function conformUnit({
  host,
  port,
  code = newCode(),
  patienceMs = 20_000,
  onReady,
  onFinding,
}: ConformUnit) {
  const findings = new Findings(onFinding)
  const invalid = new Set<string>()
  const listener = await listenForUnit({ host, port, onInvalid: (fault) => invalid.add(fault) })
  const server = new SigningServer()
  let [publicKey, logged, takesDeltas, canBlock] = ['', 0, false, false]

  /** A unit that does not announce deltas never gets one. */
  async function checkDelta(what: string, work: () => Promise<string | null>) {
    const section = 'Configuration'
    if (takesDeltas) await findings.check(section, what, work)
    else findings.skip(section, what, 'the unit does not announce deltas')
  }

  onReady({ url: listener.url, code })
  try {
    const first = await listener.next(6 * patienceMs)
    if (!first) {
      findings.report({ section: 'Connection', what: 'connects', fault: 'It did not connect.' })
      return findings.list
    }
    if (!(await findings.check('Enrolment', 'enrols with the code, signed with its key', () => enrols(first))))
      return findings.list
    if (!(await findings.check('Connection', 'says hello, signed over the nonce', () => saysHello(first))))
      return findings.list
    const firstNonce = server.unitNonce
    await findings.check('Heartbeats', 'sends a heartbeat when it is welcomed', () => beats(first))
    await findings.check('Heartbeats', 'answers a request for a heartbeat', () => answersRequest(first))
    await findings.check('Connection', 'ignores frames of unknown types', async () => {
      first.sendText(JSON.stringify({ type: 'aFrameOfTheFuture', value: [1, 2, 3] }))
      return first.isOpen ? answersRequest(first) : 'It closed the connection.'
    })
    const unacknowledged = await first.next('events', patienceMs)
    await findings.check('Events', 'sends what it recorded, numbered from 1 without gaps', async () =>
      judgeRecords(unacknowledged),
    )

    first.cut()
    const second = await listener.next(patienceMs)
    if (!second) {
      findings.report({ section: 'Connection', what: 'connects again after a cut', fault: 'It did not connect again.' })
      return findings.list
    }
    await findings.check('Connection', 'connects again after a cut, with a new nonce', async () => {
      const fault = await saysHello(second)
      return fault ?? (server.unitNonce === firstNonce ? 'It repeated the nonce of its last hello.' : null)
    })
    await findings.check('Events', 'sends again what was not acknowledged', () =>
      repeatsRecords(second, unacknowledged),
    )

    await findings.check('Configuration', 'refuses one that the server did not sign', async () => {
      offer(second, { version: 5, isForged: true })
      return refusal(second, 5)
    })
    await findings.check('Configuration', 'refuses one whose bytes do not have the signed hash', async () => {
      offer(second, { version: 5, isChanged: true })
      return refusal(second, 5)
    })
    await findings.check('Configuration', 'applies a signed one and confirms its hash', async () => {
      return confirms(second, { version: 5, hash: offer(second, { version: 5 }) })
    })
    await findings.check('Configuration', 'refuses a lower version', async () => {
      offer(second, { version: 4 })
      return refusal(second, 4)
    })
    await checkDelta('refuses a delta from a configuration that it does not apply', async () => {
      send(second, server.delta({ version: 6, base: 4 }))
      return refusal(second, 6)
    })
    await checkDelta('refuses a delta whose result has another hash than it names', async () => {
      send(second, server.delta({ version: 6, base: 5, isChanged: true }))
      return refusal(second, 6)
    })
    await checkDelta('applies a delta and confirms the hash of the whole configuration', async () =>
      confirms(second, { version: 6, hash: send(second, server.delta({ version: 6, base: 5 })) }),
    )
    const current = takesDeltas ? 6 : 5

    await findings.check('Commands', 'refuses one that the server did not sign', async () => {
      const sent = give(second, { isForged: true })
      return outcomeOf(second, sent, 'refused')
    })
    await findings.check('Commands', 'refuses one for another door than the configured one', async () => {
      const sent = give(second, { doorId: '01890000-0000-7000-8000-0000000000ee' })
      return outcomeOf(second, sent, 'refused')
    })
    await findings.check('Commands', 'never runs one after its time', async () => {
      const sent = give(second, { at: new Date(Date.now() - 60_000).toISOString() })
      return outcomeOf(second, sent, 'expired')
    })
    const valid = server.command({})
    await findings.check('Commands', 'opens the door for a signed one, and records it', async () => {
      second.send(valid)
      return (await outcomeOf(second, valid, 'done')) ?? recorded(second, valid.id)
    })
    await findings.check('Commands', 'runs each one at most once', async () => {
      second.send(valid)
      return (await second.next('commandResult', quietMs, ({ id, outcome }) => id === valid.id && outcome === 'done'))
        ? 'It ran the same command again.'
        : null
    })

    // The next checks wait for answers, so the unit has received these before the cut.
    if (canBlock) for (const list of blocklists(server)) second.send(list)

    await findings.check('Door modes', 'ignores one that the server did not sign', async () => {
      second.send(server.doorMode({ version: 9, mode: 'blocked', isForged: true }))
      return (await second.next('doorModeApplied', quietMs, ({ version }) => version === 9)) ? 'It applied it.' : null
    })
    await findings.check('Door modes', 'stores and confirms a lockdown, and then refuses commands', async () => {
      second.send(server.doorMode({ version: 3, mode: 'lockdown' }))
      const applied = await second.next('doorModeApplied', patienceMs, ({ version }) => version === 3)
      if (!applied) return 'It did not confirm the mode.'
      return outcomeOf(second, give(second, {}), 'refused')
    })
    await findings.check('Door modes', 'keeps the mode when an earlier version arrives', async () => {
      second.send(server.doorMode({ version: 2, mode: 'normal' }))
      return outcomeOf(second, give(second, {}), 'refused')
    })

    second.cut()
    const third = await listener.next(patienceMs)
    const hello = await third?.next('hello', patienceMs)
    await checkNextHello(hello, { findings, current, canBlock })
    findings.reportSchema(invalid)
    return findings.list
  } finally {
    await listener.close()
  }

  async function enrols(session: UnitSession) {
    const frame = await session.next('enrol', patienceMs)
    if (!frame) return 'It sent no enrol frame.'
    if (frame.code !== code) return `It sent the code ${frame.code}.`
    const text = enrolText({ nonce: session.nonce, code, serial: frame.serial })
    if (!isSigned({ publicKey: frame.publicKey, text, signature: frame.signature }))
      return 'The signature is not valid.'
    publicKey = frame.publicKey
    session.send({ type: 'enrolled', unit, name: 'Under test', serverKey: server.publicKey, secret })
    return null
  }

  async function saysHello(session: UnitSession) {
    const hello = await session.next('hello', patienceMs)
    if (!hello) return 'It sent no hello.'
    if (hello.unit !== unit) return `It named the unit ${hello.unit}.`
    const text = helloText({ nonce: session.nonce, unit })
    if (!isSigned({ publicKey, text, signature: hello.signature })) return 'The signature is not valid.'
    server.unitNonce = hello.nonce
    takesDeltas = hello.deltas === true
    canBlock = hello.blocked !== undefined
    session.send(server.welcome(hello.at))
    return null
  }

  async function beats(session: UnitSession) {
    const beat = await session.next('heartbeat', patienceMs)
    if (!beat) return 'It sent no heartbeat.'
    session.send({ type: 'heartbeatAck', ...server.clock(beat.at) })
    return null
  }

  async function answersRequest(session: UnitSession) {
    const id = randomUUID()
    session.send({ type: 'heartbeatRequest', id })
    const beat = await session.next('heartbeat', patienceMs, ({ request }) => request === id)
    if (!beat) return 'It sent no heartbeat that names the request.'
    session.send({ type: 'heartbeatAck', ...server.clock(beat.at) })
    return null
  }

  function judgeRecords(frame: Extract<UnitFrame, { type: 'events' }> | undefined) {
    if (!frame) return 'It sent no events; record at least that the power is on.'
    const seqs = frame.records.map(({ seq }) => seq)
    if (seqs.some((seq, at) => seq !== (seqs[0] ?? 0) + at)) return `The numbers have a gap: ${seqs.join(', ')}.`
    if (seqs[0] !== 1) return `The first number of a new log is ${seqs[0]}, not 1.`
    const unread = frame.records.find(({ body }) => !unitRecord.safeParse(body).success)
    return unread ? `Record ${unread.seq} does not match the schema.` : null
  }

  async function repeatsRecords(session: UnitSession, missed: Extract<UnitFrame, { type: 'events' }> | undefined) {
    const again = await session.next('events', patienceMs)
    if (!again || !missed) return 'It did not send them again.'
    if (again.logId !== missed.logId) return 'It sent them in another log.'
    const fault = again.records[0]?.seq === missed.records[0]?.seq ? null : 'It began with another number.'
    logged = again.records.at(-1)?.seq ?? 0
    session.send({ type: 'ack', logId: again.logId, upTo: logged })
    return fault
  }

  /** Waits for the record of a command, and acknowledges on the way; records that were acknowledged must not return. */
  async function recorded(session: UnitSession, id: string): Promise<string | null> {
    for (;;) {
      const events = await session.next('events', patienceMs)
      if (!events) return 'It did not record that it opened the door.'
      const repeated = events.records.find(({ seq }) => seq <= logged)
      if (repeated) return `It sent record ${repeated.seq} again after it was acknowledged.`
      logged = events.records.at(-1)?.seq ?? logged
      session.send({ type: 'ack', logId: events.logId, upTo: logged })
      const found = events.records.some(({ body }) => {
        const record = unitRecord.safeParse(body).data
        return record?.type === 'door' && record.what === 'unlocked_once' && record.command === id
      })
      if (found) return null
    }
  }

  function offer(session: UnitSession, given: Parameters<SigningServer['configuration']>[0]) {
    return send(session, server.configuration(given))
  }

  /** Returns the hash of the whole configuration. */
  function send(session: UnitSession, { hash, frames }: ReturnType<SigningServer['delta']>) {
    for (const frame of frames) session.send(frame)
    return hash
  }

  async function confirms(session: UnitSession, { version, hash }: { version: number; hash: string }) {
    const applied = await session.next('configApplied', patienceMs, (frame) => frame.version === version)
    if (!applied) return 'It did not confirm the configuration.'
    return applied.hash === hash ? null : 'It confirmed another hash.'
  }

  function give(session: UnitSession, given: Parameters<SigningServer['command']>[0]) {
    const command = server.command(given)
    session.send(command)
    return command
  }

  async function refusal(session: UnitSession, version: number) {
    const rejected = await session.next('configRejected', patienceMs, (frame) => frame.version === version)
    if (rejected) return null
    const applied = await session.next('configApplied', 0, (frame) => frame.version === version)
    return applied ? 'It applied it.' : 'It did not answer that it rejects it.'
  }

  async function outcomeOf(session: UnitSession, { id }: { id: string }, expected: 'done' | 'refused' | 'expired') {
    const result = await session.next('commandResult', patienceMs, (frame) => frame.id === id)
    if (!result) return 'It did not answer the command.'
    return result.outcome === expected ? null : `It answered ${result.outcome} instead of ${expected}.`
  }
}

/** Such as `3F09-A1C4-77E2`. */
function newCode() {
  return [1, 2, 3].map(() => randomBytes(2).toString('hex').toUpperCase()).join('-')
}
