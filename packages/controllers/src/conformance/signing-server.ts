import { createHash, randomUUID } from 'node:crypto'
import type { InterlockAnswered } from '@portcullis/contract/unit-protocol/interlock-frames'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import {
  approvalOutcomeText,
  blocklistText,
  clockText,
  commandText,
  configText,
  doorCommandText,
  doorModeText,
  mayPassText,
  interlockText,
  modeOfDoorText,
  passagesText,
  serverKeyText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import type { SentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { diffConfig } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig, UnitDoor } from '@portcullis/domain/configuration/unit-config'
import type { Direction, DoorMode } from '@portcullis/domain/policy'
import { credentialKey } from '../credential-key.ts'
import { generateKeys, signText } from '../keys.ts'

export const unit = '01890000-0000-7000-8000-000000000001'
const doorId = '01890000-0000-7000-8000-00000000000d'
const site = '01890000-0000-7000-8000-00000000000a'
export const secret = Buffer.from('the secret of the unit').toString('base64')
const holder = '01890000-0000-7000-8000-0000000000b0'
const validity = { validFrom: null, validUntil: null }
/** Of the credentials in the configurations; their keys are those of no number. */
export const credentials = [1, 2, 3].map((last) => `01890000-0000-7000-8000-0000000000c${last}`)

const door: UnitDoor = {
  _id: doorId,
  name: 'Front door',
  site,
  enabled: true,
  mode: 'normal',
  relockAfterSeconds: 5,
  heldOpenAfterSeconds: 30,
  requiresPin: false,
  requiresRemoteAuth: false,
  directions: { entry: true, exit: false },
}

const config: UnitConfig = {
  unit,
  inService: true,
  from: '2020-01-01',
  until: '2099-01-01',
  sites: { [site]: { timeZone: 'UTC', zone: { initialOffsetMinutes: 0, transitions: [] }, holidays: {} } },
  doors: { 1: door },
  schedules: {},
  rules: {},
  access: {},
  holders: {
    [holder]: { user: holder, ...validity, recertification: { enforced: false }, access: [] },
  },
  credentials: Object.fromEntries(
    credentials.map((_id, index) => [`${index}`.repeat(64), { _id, holder, ...validity }]),
  ),
}

/** What the deltas make of `config`. */
const changed: UnitConfig = {
  ...config,
  from: '2020-02-01',
  rules: {
    '01890000-0000-7000-8000-0000000000cc': { effect: 'allow', direction: 'both', adhoc: null, schedule: null },
  },
}

/** An area with doors at other units. */
export const areas = { [site]: { kind: 'hard', minutes: 0, forgivenAllAt: null, forgivenAt: {} } } as const

/** What differs in a configuration whose door shares an interlock with doors of other units. */
export const interlocked: Partial<UnitConfig> = {
  doors: { 1: { ...door, relockAfterSeconds: 1, sharedInterlock: true } },
}

/** The group of the card's user, and another one. */
export const [group, otherGroup] = [
  '01890000-0000-7000-8000-0000000000d0',
  '01890000-0000-7000-8000-0000000000d1',
] as const

/** What differs in a configuration in which the card with this number may pass the door, which has these settings. */
export function withCard(number: string, settings: Partial<UnitDoor>): Partial<UnitConfig> {
  const rule = '01890000-0000-7000-8000-0000000000cd'
  return {
    doors: { 1: { ...door, ...settings } },
    rules: { [rule]: { effect: 'allow', direction: 'both', adhoc: null, schedule: null } },
    access: { [group]: { doors: { 1: { allow: [rule], deny: [] } } } },
    holders: { [holder]: { user: holder, ...validity, recertification: { enforced: false }, access: [group] } },
    credentials: {
      ...config.credentials,
      [credentialKey(secret, number)]: { _id: '01890000-0000-7000-8000-0000000000ce', holder, ...validity },
    },
  }
}

/** What differs in a configuration in which the door requires a PIN, and has an unlock schedule that is always open, or never. */
export function withUnlockSchedule({ number, isOpen }: { number: string; isOpen: boolean }): Partial<UnitConfig> {
  const unlockSchedule = '01890000-0000-7000-8000-0000000000cf'
  const windows = isOpen ? [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: 0, until: 1440 })) : []
  const holidayHours = { public: 'asUsual', company: 'asUsual', special: 'asUsual' } as const
  return {
    ...withCard(number, { requiresPin: true, unlockSchedule }),
    schedules: { [unlockSchedule]: { windows, holidayHours } },
  }
}

type Command = Extract<ServerFrame, { type: 'command' }>
/** `isForged`: signed with another key than the server's. */
type Signing = { isForged?: boolean | undefined }
type Configuration = Signing & { version: number; isChanged?: boolean; content?: Partial<UnitConfig> }
/** `isMayPassForged`: only the exceptions are signed with another key. */
type DesiredMode = { version: number; mode: DoorMode; mayPass?: string[][]; isMayPassForged?: boolean }
type Passages = Signing & { at?: Date; direction?: Direction }
type Outcome = Extract<ServerFrame, { type: 'approvalOutcome' }>['outcome']
/** `hash`: the one that is signed, of the bytes that should be sent. */
type ConfigFrames = Signing & { version: number; base: number | null; hash: string; sent: Buffer }

/** The frames that the server of the kit signs for the unit under test. */
export class SigningServer {
  readonly #keys = generateKeys()
  readonly #forger = generateKeys()
  /** The nonce of the unit's last hello. */
  unitNonce = ''

  get publicKey() {
    return this.#keys.publicKey
  }

  welcome(requestedAt: string): ServerFrame {
    return { type: 'welcome', unit, name: 'Under test', heartbeatSeconds: 20, ...this.clock(requestedAt) }
  }

  clock(requestedAt: string) {
    const at = new Date().toISOString()
    return { at, signature: this.#sign(clockText({ unit, nonce: this.unitNonce, requestedAt, at })) }
  }

  /** In two chunks. `isChanged`: its bytes do not have the signed hash. `content` replaces parts of the usual one. */
  configuration({ version, isForged, isChanged, content }: Configuration) {
    const bytes = Buffer.from(JSON.stringify({ ...config, ...content }))
    const sent = isChanged ? Buffer.from(bytes.toString().replace('Front', 'Other')) : bytes
    const hash = hashOf(bytes)
    return { hash, frames: this.#configFrames({ version, base: null, hash, sent, isForged }) }
  }

  /** A delta from the content of `configuration`. `isChanged`: its result does not have the hash that it names. */
  delta({ version, base, isChanged }: { version: number; base: number; isChanged?: boolean }) {
    const hash = hashOf(Buffer.from(JSON.stringify(changed)))
    const delta: SentDelta = { hash, ...diffConfig(config, changed) }
    const sent = Buffer.from(JSON.stringify(isChanged ? { ...delta, values: {} } : delta))
    return { hash, frames: this.#configFrames({ version, base, hash: hashOf(sent), sent }) }
  }

  #configFrames({ version, base, hash, sent, isForged }: ConfigFrames): ServerFrame[] {
    const signature = this.#sign(configText({ unit, version, base, hash }), isForged)
    const half = Math.ceil(sent.length / 2)
    const chunks = [sent.subarray(0, half), sent.subarray(half)]
    return [
      { type: 'config', version, base, policyVersion: 1, hash, signature, chunks: chunks.length },
      ...chunks.map((part, index) => ({ type: 'configChunk', version, index, data: part.toString('base64') }) as const),
    ]
  }

  command({ isForged, ...given }: Signing & Partial<Pick<Command, 'doorId' | 'at' | 'request'>>): Command {
    const usual = { id: randomUUID(), action: 'unlockOnce', door: 1, doorId, timeToLiveMs: 10_000 } as const
    const all = { ...usual, at: new Date().toISOString(), ...given }
    const text = { unit, nonce: this.unitNonce, ...all }
    const signature = this.#sign(commandText(text), isForged)
    return { type: 'command', ...all, signature, doorSignature: this.#sign(doorCommandText(text), isForged) }
  }

  doorMode({ isForged, mayPass, isMayPassForged, ...given }: Signing & DesiredMode): ServerFrame {
    const all = { door: 1, doorId, until: null, ...given } as const
    const signature = this.#sign(doorModeText({ unit, ...all }), isForged)
    return {
      type: 'doorMode',
      ...all,
      signature,
      doorSignature: this.#sign(modeOfDoorText({ unit, ...all }), isForged),
      ...(mayPass && {
        mayPass,
        mayPassSignature: this.#sign(mayPassText({ unit, ...all, mayPass }), isMayPassForged),
      }),
    }
  }

  /** Lists ids of credentials. */
  blocklist({ isForged, block = [], unblock = [] }: Signing & { block?: string[]; unblock?: string[] }): ServerFrame {
    const text = blocklistText({ unit, nonce: this.unitNonce, block, unblock })
    return { type: 'blocklist', block, unblock, signature: this.#sign(text, isForged) }
  }

  /** Of one user, at a door of another unit. */
  passages({ isForged, at: passedAt = new Date(), direction = 'entry' }: Passages = {}): ServerFrame {
    const at = passedAt.toISOString()
    const passages = [{ area: site, user: holder, direction, at }]
    const text = passagesText({ unit, nonce: this.unitNonce, passages, upTo: at })
    return { type: 'passages', passages, upTo: at, signature: this.#sign(text, isForged) }
  }

  approvalOutcome({ isForged, id, outcome }: Signing & { id: string; outcome: Outcome }): ServerFrame {
    const text = approvalOutcomeText({ unit, nonce: this.unitNonce, id, outcome })
    return { type: 'approvalOutcome', id, outcome, signature: this.#sign(text, isForged) }
  }

  interlockAnswer({ isForged, id, outcome }: Signing & { id: string; outcome: InterlockAnswered }): ServerFrame {
    const text = interlockText({ unit, nonce: this.unitNonce, id, outcome })
    return { type: 'interlockAnswer', id, outcome, signature: this.#sign(text, isForged) }
  }

  /** Announces another key of the server. */
  serverKey(serverKey: string): ServerFrame {
    const at = new Date().toISOString()
    return { type: 'serverKey', serverKey, at, signature: this.#sign(serverKeyText({ unit, serverKey, at })) }
  }

  #sign(text: string, isForged = false) {
    return signText((isForged ? this.#forger : this.#keys).privateKey, text)
  }
}

function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}
