import { z } from 'zod'
import {
  limits,
  serverFrame,
  subprotocol,
  unitFrame,
  unitsPath,
} from '../packages/contract/src/unit-protocol/frames.ts'
import { unitRecord } from '../packages/contract/src/unit-protocol/records.ts'
import { sentDelta, unitConfig } from '../packages/contract/src/unit-protocol/unit-config.ts'

/** The JSON Schema of all frames, of the bodies of event records, and of a configuration, for manufacturers. */
export function unitProtocolSchema() {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Portcullis unit protocol, ${subprotocol}`,
    description: `JSON text frames over a WebSocket at ${unitsPath}. See unit-protocol.md.`,
    $defs: {
      UnitFrame: definitionOf(unitFrame, 'A frame that a controller sends.'),
      ServerFrame: definitionOf(
        serverFrame,
        'A frame that the server sends. Controllers ignore frames of other types.',
      ),
      Record: definitionOf(unitRecord, 'The body of an event record.'),
      Configuration: definitionOf(
        unitConfig,
        'The JSON in the bytes of a configuration. Controllers ignore other fields.',
      ),
      ConfigurationDelta: definitionOf(
        sentDelta,
        'The JSON in the bytes of a configuration with a base: its difference from the base, by section and key.',
      ),
    },
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`
}

function definitionOf(of: z.ZodType, description: string) {
  const { $schema: _, ...definition } = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' })
  return { description, ...definition }
}

/** The limits of the protocol as the guide names them. */
export function limitsOfProtocol() {
  const kB = (bytes: number) => `${bytes / 1024} KiB`
  const rows: [string, string][] = [
    ['A frame', kB(limits.frameBytes)],
    ['The first frame of a connection', kB(limits.introductionBytes)],
    ['Records in an `events` frame', `${limits.eventsPerFrame}`],
    ['Passages in a `passages` frame', `${limits.passagesPerFrame}`],
    ['Ids in `block`, in `unblock` and in `blocked`', `${limits.blockedCredentials}`],
    ['The bytes of a configuration in one `configChunk`', kB(limits.configChunkBytes)],
    ['Time until `hello` or `enrol`', `${limits.handshakeMs / 1_000} s`],
    ['Time between heartbeats', `${limits.heartbeatSeconds} s`],
    ['Time in which an operator decides about an `approvalRequest`', `${limits.approvalSeconds} s`],
    ['Time in which the second of two people presents a credential', `${limits.secondPersonSeconds} s`],
    ['Time in which the server answers an `interlockRequest`', `${limits.interlockMs / 1_000} s`],
    ['Wrong PINs in a row until PINs are locked', `${limits.wrongPins}`],
    ['Time for which PINs stay locked', `${limits.pinLockedMinutes} min`],
  ]
  return ['| what | limit |', '| --- | --- |', ...rows.map(([what, limit]) => `| ${what} | ${limit} |`)].join('\n')
}
