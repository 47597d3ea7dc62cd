import { unitFrame } from '@portcullis/contract/unit-protocol/frames'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { arbitraryOf } from '@portcullis/server/collections/test-arbitraries'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { helloOf, openUnit, type TestUnit, type UnitIdentity } from '../test-unit.ts'
import { eachCase, Findings, type Fuzzing } from './fuzzing.ts'
import { mutationsOf } from './mutations.ts'

const frame = arbitraryOf(z.toJSONSchema(unitFrame, { io: 'input', unrepresentable: 'any' }))
const body = arbitraryOf(z.toJSONSchema(unitRecord, { io: 'input', unrepresentable: 'any' }))
const seq = fc.oneof(fc.nat(20), fc.constantFrom(-1, 0, 2 ** 31, 2 ** 53 - 1, 2 ** 53))
/** Frames of events are frequent, because the server stores their bodies even if it cannot read them. */
const events = fc.record({
  type: fc.constant('events'),
  logId: fc.constantFrom(...Array.from({ length: 4 }, () => uuidv7())),
  records: fc.oneof(
    fc
      .array(fc.oneof(body, mutationsOf(body)), { minLength: 1, maxLength: 20 })
      .map((bodies) => bodies.map((one, index) => ({ seq: index + 1, body: one }))),
    fc.array(fc.record({ seq, body }), { minLength: 1, maxLength: 3 }),
  ),
})
const anyFrame = fc.oneof(
  { weight: 3, arbitrary: events },
  { weight: 2, arbitrary: frame },
  { weight: 2, arbitrary: mutationsOf(frame) },
  { weight: 1, arbitrary: mutationsOf(events) },
)
const cases = fc.record({
  frame: anyFrame,
  as: fc.constantFrom('controller', 'controller', 'controller', 'stranger', 'hello'),
})

type Connected = { peer: TestUnit; identity: UnitIdentity }

const lines = 8

/** After such an end, a unit sends the frame again. A frame that always ends in this way would be sent for ever. */
const tryAgain = 1_011

export const fuzzedFrames: Fuzzing = {
  name: 'fuzzed frames of controllers',
  sends: 'valid and changed frames, by enrolled controllers, at the introduction, and before it',
  share: 0.2,
  async run(estate, options) {
    const findings = new Findings()
    const identities = [...estate.fuzzedUnits]
    const units = new Map<number, Connected>()
    await eachCase({ ...options, arbitrary: cases, atOnce: lines }, async (each, line) => {
      const { peer, identity } = await unitFor({ line, isWelcome: each.as === 'controller' })
      const before = peer.received.length
      const sent =
        each.as === 'hello'
          ? { ...objectOf(each.frame), ...helloOf(peer, identity), ...changesOf(each.frame) }
          : each.frame
      peer.send(objectOf(sent))
      peer.send({ type: 'heartbeat', at: new Date().toISOString(), pendingEvents: 0, applied: null })
      const answer = await peer
        .waitFor(({ type }) => type === 'heartbeatAck' || type === 'refused', before)
        .catch(() => undefined)
      findings.counts.add(
        answer?.type === 'refused' ? `refused ${answer.code}` : (answer?.type ?? `closed ${peer.closeCode}`),
      )
      if (peer.closeCode === tryAgain) findings.fault(`frame of a ${each.as}`, JSON.stringify(sent).slice(0, 600))
      if (answer?.type !== 'heartbeatAck' || each.as !== 'controller') await drop(line)
    })
    for (const line of units.keys()) await drop(line)
    return findings.outcome()

    /** The connected controller of this line, or a new connection of the one that has not connected for longest. */
    async function unitFor({ line, isWelcome }: { line: number; isWelcome: boolean }): Promise<Connected> {
      const connected = units.get(line)
      if (connected && connected.peer.closeCode === undefined && isWelcome) return connected
      await drop(line)
      const identity = identities.shift()
      if (!identity) throw new Error('more lines than controllers')
      const peer = await openUnit(estate.url)
      const unit = { peer, identity }
      units.set(line, unit)
      if (!isWelcome) return unit
      peer.send(helloOf(peer, identity))
      await peer
        .waitFor(({ type }) => type === 'welcome')
        .catch((error: unknown) => findings.fault('a controller was not admitted', String(error)))
      return unit
    }

    async function drop(line: number) {
      const unit = units.get(line)
      if (!unit) return
      units.delete(line)
      identities.push(unit.identity)
      await unit.peer.close()
    }
  },
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : { value }
}

/** Fields of a frame that change a hello, but not who sends it. */
function changesOf(value: unknown) {
  const {
    type: _type,
    unit: _unit,
    signature: _signature,
    serial: _serial,
    ...rest
  } = z.record(z.string(), z.unknown()).catch({}).parse(value)
  return rest
}
