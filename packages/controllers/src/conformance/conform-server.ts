import { randomUUID } from 'node:crypto'
import { limits, type ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { ConformingLog } from './conform-events.ts'
import { type Finding, Findings } from './findings.ts'
import { NoConnection, type ServerSession } from './server-session.ts'
import { SigningUnit } from './signing-unit.ts'
import { UnitConnections } from './unit-connections.ts'

type ConformServer = {
  /** Of the gateway, such as `wss://server/units`. */
  url: string
  /** The one-time code that the operator of the server has issued for a unit with this serial. */
  code: string
  serial: string
  /** How long the server may take for each answer. */
  patienceMs?: number
  onFinding?: (finding: Finding) => void
  /**
   * Called when the operator of the server should change a rule of the unit and unlock its door once. The kit waits for
   * both, up to `patienceMs`; without this function it does not wait.
   */
  onReadyForChanges?: () => void
}

/** The server does not accept the code. The message says what to do. */
export class CodeRefused extends Error {
  override readonly name = 'CodeRefused'
}

/** A server has this long to do what it must not do. */
const quietMs = 500
const wrongCode = 'WR0N-GC0D-E000'

/**
 * Plays units against a server, and checks each rule of the protocol that can be seen from outside. Throws `NoConnection`
 * if it reaches no server at first, and `CodeRefused`.
 */
export async function conformServer({ url, code, serial, patienceMs = 20_000, ...given }: ConformServer) {
  const findings = new Findings(given.onFinding)
  const unit = new SigningUnit(serial)
  const connections = new UnitConnections({ unit, url, patienceMs, onInvalid: (fault) => findings.addInvalid(fault) })
  /** The fault of each delta that has arrived. */
  const deltas: (string | null)[] = []
  const log = new ConformingLog({ findings, patienceMs })

  try {
    const silent = await connections.open()
    const silentSince = performance.now()
    const main = await connections.open()
    await check('Connection', 'sends a challenge, with another nonce on each connection', async () => {
      if (silent.nonce === '' || main.nonce === '') return 'It sent no challenge.'
      return silent.nonce === main.nonce ? 'It repeated a nonce.' : null
    })
    await checkEnrolment(main)
    const isWelcome = await check('Connection', 'welcomes the unit on that connection, its clock signed', () =>
      connections.join(main),
    )
    let last: ServerSession | undefined
    if (isWelcome) {
      await checkRefusals()
      await checkHeartbeats(main)
      await checkFirstConfiguration(main)
      await check('Interlocks with other units', 'answers whether a door may be released, signed for the unit', () =>
        unit.askInterlock(main, patienceMs),
      )
      await log.check(main)
      const live = await checkOneConnection(main)
      await checkBadFrames(live)
      last = await checkNextConnections()
      if (last) given.onReadyForChanges?.()
    }
    await check('Connection', 'ends a connection without enrol or hello after 10 s', async () => {
      const left = limits.handshakeMs + patienceMs - (performance.now() - silentSince)
      return (await silent.closes(Math.max(0, left))) ? null : 'It left the connection open.'
    })
    if (last && given.onReadyForChanges) await receiveChanges(last)
    if (isWelcome) await checkSent()
    findings.reportSchema()
    return findings.list
  } finally {
    for (const session of connections.sessions) session.cut()
  }

  function check(section: string, what: string, work: () => Promise<string | null>) {
    return findings.check(section, what, async () => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof NoConnection) return error.message
        throw error
      }
    })
  }

  async function checkEnrolment(main: ServerSession) {
    await check('Enrolment', 'refuses a wrong code', () =>
      connections.faultOfRefusal('enrolled', (nonce) => unit.enrol({ nonce, code: wrongCode })),
    )
    await check('Enrolment', 'refuses the code with a signature of another key', () =>
      connections.faultOfRefusal('enrolled', (nonce) => unit.enrol({ nonce, code, isForged: true })),
    )
    main.send(unit.enrol({ nonce: main.nonce, code }))
    const enrolled = await main.next('enrolled', patienceMs)
    const refused = await main.next('refused', 0)
    if (!enrolled && refused)
      throw new CodeRefused(
        `The server refused the code with ${refused.code}: ${refused.message} The test needs a new code for a controller with the serial ${serial}.`,
      )
    await check('Enrolment', 'enrols the unit with the code', async () =>
      enrolled ? null : 'It sent no enrolled frame.',
    )
    if (!enrolled) return
    unit.trust(enrolled)
    await check('Enrolment', 'answers the same to the unit that repeats its enrolment', async () => {
      const session = await connections.open()
      session.send(unit.enrol({ nonce: session.nonce, code }))
      const again = await session.next('enrolled', patienceMs)
      session.cut()
      if (!again) return 'It sent no enrolled frame.'
      const isSame = (['unit', 'serverKey', 'secret'] as const).every((field) => again[field] === enrolled[field])
      return isSame ? null : 'It sent another unit, key or secret.'
    })
    await check('Enrolment', 'refuses the used code for another key', () =>
      connections.faultOfRefusal('enrolled', (nonce) => unit.enrol({ nonce, code, isOther: true })),
    )
  }

  async function checkRefusals() {
    await check('Connection', 'refuses a hello with a signature of another key', () =>
      connections.faultOfRefusal('welcome', (nonce) => unit.hello({ nonce, isForged: true })),
    )
    await check('Connection', 'refuses a hello that is signed over another nonce', () =>
      connections.faultOfRefusal('welcome', () => unit.hello({ nonce: Buffer.alloc(32).toString('base64') })),
    )
    await check('Connection', 'refuses a unit that is not enrolled', () =>
      connections.faultOfRefusal('welcome', (nonce) => unit.hello({ nonce, unit: randomUUID() })),
    )
    await check('Connection', 'refuses other frames before the hello', () =>
      connections.faultOfRefusal('heartbeatAck', () => unit.heartbeat()),
    )
  }

  async function checkHeartbeats(session: ServerSession) {
    await check('Heartbeats', 'answers with its clock, signed over the time of the heartbeat', () =>
      connections.beat(session),
    )
    for (const at of ['1970-01-01T00:00:00.000Z', '2038-01-19T03:14:08.000Z', '2099-12-31T23:59:59.999Z']) {
      await check('Heartbeats', `answers a unit whose clock says ${at.slice(0, 4)}`, () =>
        connections.beat(session, { at }),
      )
    }
    await check('Versions', 'ignores fields that it does not know', () =>
      connections.beat(session, { ofTheFuture: [1, 2, 3] }),
    )
    const what = 'continues after a heartbeat that it has requested'
    const request = await session.next('heartbeatRequest', 0)
    if (!request) return findings.skip('Heartbeats', what, 'it requested none')
    await check('Heartbeats', what, () => connections.beat(session, { request: request.id }))
  }

  async function checkFirstConfiguration(session: ServerSession) {
    await check('Configuration', 'sends a whole one to a unit without one, signed, with the right hash', () =>
      sendsWhole(session, 0),
    )
    await check('Configuration', 'sends none again that the unit applies', () => sendsNone(session))
  }

  async function sendsWhole(session: ServerSession, above: number) {
    const received = await unit.receiveConfig(session, patienceMs)
    if (!received) return 'It sent none.'
    if (received.base !== null) return 'It sent a delta to a unit that applies none.'
    if (received.outcome === 'more') return 'It did not send all chunks.'
    if (received.outcome === 'rejected') return `The unit rejects it: ${received.reason}.`
    const { version = 0 } = unit.applied ?? {}
    return version > above ? null : `Its version ${version} is not above ${above}.`
  }

  /** Also takes the newer configurations that changes at the server cause meanwhile. */
  async function sendsNone(session: ServerSession): Promise<string | null> {
    for (;;) {
      const received = await unit.receiveConfig(session, quietMs)
      if (!received) return null
      if (received.outcome === 'inForce') return 'It sent it again.'
      const fault = received.outcome === 'rejected' ? `The unit rejects it: ${received.reason}.` : null
      if (received.base !== null) deltas.push(fault)
      else if (fault !== null) return fault
    }
  }

  /** Returns the connection that is live afterwards. */
  async function checkOneConnection(first: ServerSession) {
    const second = await connections.open()
    let live = first
    await check('Connection', 'keeps one live connection of a unit', async () => {
      if ((await connections.join(second)) !== null) {
        second.cut()
        const fault = await connections.beat(first)
        return fault && `It refused a second connection, and the first one does not work: ${fault}`
      }
      live = second
      return (await first.closes(patienceMs)) ? null : 'It welcomed a second connection and left the first one open.'
    })
    return live
  }

  async function checkBadFrames(live: ServerSession) {
    let session = live
    const bad = { malformed: 'this is not JSON', 'too long': `"${'x'.repeat(limits.frameBytes)}"` }
    for (const [kind, text] of Object.entries(bad)) {
      await check('Limits', `closes only the connection with a ${kind} frame`, async () => {
        const bystander = await connections.open()
        session.sendText(text)
        if (!(await session.closes(patienceMs))) return 'It left the connection open.'
        if (!bystander.isOpen) return 'It closed another connection, too.'
        bystander.cut()
        return null
      })
      session.cut()
      await check('Connection', `welcomes the unit again after a ${kind} frame`, async () => {
        const joined = await connections.rejoin()
        session = joined.session ?? session
        return joined.fault
      })
    }
    session.cut()
    await check('Limits', 'closes a connection whose first frame is too long', async () => {
      const stranger = await connections.open()
      const frame = { ...unit.hello({ nonce: stranger.nonce }), padding: 'x'.repeat(limits.introductionBytes) }
      stranger.sendText(JSON.stringify(frame))
      return (await stranger.closes(patienceMs)) ? null : 'It left the connection open.'
    })
  }

  async function checkNextConnections() {
    const joined = await connections.rejoin()
    await check('Connection', 'welcomes the unit again after a cut', async () => joined.fault)
    const { session: next } = joined
    if (!next) return undefined
    await log.checkResumed(next)
    await check('Configuration', 'sends none that the hello names as applied', () => sendsNone(next))
    next.cut()
    const highestVersion = (unit.applied?.version ?? 0) + 3
    const { session, fault } = await connections.rejoin({ applied: null, highestVersion })
    await check('Configuration', 'continues above the highest version that the hello names', async () =>
      session ? sendsWhole(session, highestVersion) : fault,
    )
    return session
  }

  /** Until a delta and a command have arrived, or the time is over. */
  async function receiveChanges(session: ServerSession) {
    const until = performance.now() + patienceMs
    let nextBeat = performance.now()
    while (session.isOpen && performance.now() < until) {
      if (deltas.length > 0 && connections.sessions.some((each) => each.has('command'))) return
      if (performance.now() >= nextBeat) {
        nextBeat += 1_000 * limits.heartbeatSeconds
        session.send(unit.heartbeat())
      }
      await sendsNone(session)
    }
  }

  /** What the server may have sent at any time. */
  async function checkSent() {
    const deltaWhat = 'sends deltas whose result has the hash that they name'
    if (deltas.length === 0) findings.skip('Configuration', deltaWhat, 'it sent none after a change of a rule')
    else await check('Configuration', deltaWhat, async () => deltas.find((fault) => fault !== null) ?? null)
    await checkSigned('doorMode', 'Door modes', ({ frame }) => unit.isSignedMode(frame))
    await checkSigned('command', 'Commands', ({ session, frame }) => unit.isSignedCommand(session, frame))
    await checkSigned('passages', 'Passages at other units', ({ session, frame }) =>
      unit.arePassagesSigned(session, frame),
    )
    await checkSigned('blocklist', 'Ended access', ({ session, frame }) => unit.isBlocklistSigned(session, frame))
  }

  type Sent<T extends ServerFrame['type']> = { session: ServerSession; frame: Extract<ServerFrame, { type: T }> }

  async function checkSigned<T extends ServerFrame['type']>(
    type: T,
    section: string,
    isSigned: (sent: Sent<T>) => boolean,
  ) {
    const what = `signs each ${type} frame for this unit`
    const signed: boolean[] = []
    for (const session of connections.sessions) {
      for (let frame = await session.next(type, 0); frame; frame = await session.next(type, 0))
        signed.push(isSigned({ session, frame }))
    }
    if (signed.length === 0) return findings.skip(section, what, 'it sent none')
    await check(section, what, async () => (signed.every(Boolean) ? null : 'The signature of one is not valid.'))
  }
}
