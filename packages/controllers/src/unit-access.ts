import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { readKinds, UnitRecord } from '@portcullis/contract/unit-protocol/records'
import {
  credentialOfPin,
  decideOnUnit,
  isDuressPin,
  isFirstPerson,
  userOfCredential,
  userOfPin,
} from '@portcullis/domain/configuration/decide-on-unit'
import type { ShownAtDoor } from '@portcullis/domain/decision/access-facts'
import type { Decision } from '@portcullis/domain/decision/decide-access'
import type { Finding } from '@portcullis/domain/decision/finding'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { pinNumber } from '@portcullis/domain/decision/presented-credential'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { Direction } from '@portcullis/domain/policy'
import type { Approvals } from './approvals.ts'
import { credentialKey } from './credential-key.ts'
import { SecondPersons } from './second-persons.ts'
import type { UnitDoors } from './unit-doors.ts'
import type { UnitMemoryFile } from './unit-memory.ts'
import type { UnitStore } from './unit-store.ts'

/** A credential at a reader, with the PIN that was entered after it, or a PIN alone. */
export type Presented = { door: number; direction: Direction; pin?: string | undefined } & (
  | { kind: (typeof readKinds)[number]; number: string }
  | { kind: 'pin'; number?: undefined; pin: string }
)
export type Verdict = { verdict: 'grant' | 'deny'; reason: ReasonCode | null }

type AccessRecord = Omit<Extract<UnitRecord, { type: 'access' }>, 'type' | 'at' | 'configVersion'>

type Options = {
  store: UnitStore
  doors: UnitDoors
  memory: UnitMemoryFile
  approvals: Approvals
  now: () => number
  isOnline: () => boolean
  send: (frame: UnitFrame) => void
  /** Resolves when the record is durable. */
  record: (record: AccessRecord) => Promise<void>
  secondPersonMs?: number | undefined
}

/** Decides about everyone who presents a credential at a reader of the unit, and records it. */
export class UnitAccess {
  readonly #options: Options
  readonly #secondPersons: SecondPersons

  constructor(options: Options) {
    this.#options = options
    this.#secondPersons = new SecondPersons(options.secondPersonMs)
  }

  /** Decides from the unit's configuration; resolves when the record is durable. */
  async present(presented: Presented): Promise<Verdict> {
    const attempt = this.#attemptOf(presented)
    if (!attempt) return this.#record(presented, { verdict: 'deny', reason: 'door_unknown' })
    this.#countPin(attempt)
    let decision = attempt.decide()
    let shown: ShownAtDoor = {}
    if (decision.reason === 'second_person_required') {
      shown = { secondPerson: (await this.#meetSecond(attempt)) ? 'present' : 'absent' }
      decision = attempt.decide(shown)
    }
    if (decision.reason === 'remote_approval_required') return this.#presentForApproval(attempt, shown)
    if (decision.verdict === 'grant') this.#letIn(attempt)
    return this.#record(presented, verdictOf(decision), attempt.detailsOf(decision))
  }

  stop() {
    this.#secondPersons.stop()
  }

  #meetSecond({ presented: { door, direction }, user = '', decide }: Attempt) {
    return this.#secondPersons.meet(`${door} ${direction}`, {
      user,
      wouldPass: () => {
        const { verdict, reason } = decide({ secondPerson: 'present' })
        return verdict === 'grant' || reason === 'remote_approval_required'
      },
    })
  }

  /** Requests approval while the user waits. After a grant, a command has opened the door. */
  async #presentForApproval(attempt: Attempt, shown: ShownAtDoor) {
    const { presented, decide, detailsOf } = attempt
    const { isOnline, approvals, send } = this.#options
    const details = detailsOf(decide(shown))
    // A request names the number of the credential, which a PIN has not.
    if (!isOnline() || presented.kind === 'pin') return this.#record(presented, unavailable, details)
    const { door, direction, kind, number } = presented
    const { id, settled } = approvals.open((approval) => {
      const decision = decide({ ...shown, approval })
      if (decision.verdict === 'grant') this.#willPass(attempt)
      return verdictOf(decision)
    })
    send({ type: 'approvalRequest', id, door, direction, kind, number })
    return this.#record(presented, await settled, details)
  }

  #letIn(attempt: Attempt) {
    this.#willPass(attempt)
    this.#options.doors.unlock(attempt.presented.door)
  }

  #willPass({ presented: { door, direction }, user, isFirst }: Attempt) {
    const { memory, now, store } = this.#options
    if (user === undefined) return
    const at = now()
    const seconds = store.applied?.config.doors[door]?.relockAfterSeconds ?? 0
    memory.granted(door, { user, direction, isFirst, at, until: at + (seconds + 1) * 1_000 })
  }

  /** Five wrong PINs in a row lock the PIN of the user, or the keypad where no card is presented. */
  #countPin({ presented, pinOwner, decide }: Attempt) {
    if (presented.pin === undefined) return
    const { memory, now } = this.#options
    const isAlone = presented.kind === 'pin'
    const checked = decide().findings.find(({ step }) => step === (isAlone ? 'credential' : 'pin'))
    if (checked?.reason === 'pin_invalid') memory.wrongPin(pinOwner, now())
    // A right PIN at a keypad says nothing about the wrong ones before it: they may be guesses at the PINs of others.
    if (!isAlone && checked?.facts.pin === 'valid') memory.rightPin(pinOwner)
  }

  #attemptOf(presented: Presented): Attempt | undefined {
    const { applied, identity } = this.#options.store
    if (!applied || !identity.enrolled) return undefined
    const { config } = applied
    const { memory, doors, now } = this.#options
    const { door, direction, pin } = presented
    const keys = keysOf(presented, { config, secret: identity.enrolled.secret })
    const user =
      keys.credentialKey === undefined
        ? userOfPin(config, keys.pinKey ?? '')
        : userOfCredential(config, keys.credentialKey)
    const pinOwner = keys.credentialKey === undefined ? `door ${door}` : (user ?? '')
    const isPinLocked = pin !== undefined && memory.isPinLocked(pinOwner, now())
    return {
      presented,
      user,
      pinOwner,
      isFirst: isFirstPerson({ config, door, credentialKey: keys.credentialKey ?? keys.pinKey }),
      decide: (shown = {}) => {
        const mode = doors.storedMode(door)
        const attempt = {
          ...keys,
          isPinLocked,
          unitDoor: door,
          direction,
          at: now(),
          memory: memory.with(doors.open()),
        }
        return decideOnUnit(config, { ...attempt, ...(mode ? { mode } : {}), ...shown })
      },
      detailsOf: (decision) => detailsOf(decision, { config, ...keys }),
    }
  }

  async #record({ door, direction, kind, number = '' }: Presented, decision: Verdict, details: Details = {}) {
    await this.#options.record({ door, direction, kind, number, ...decision, ...details })
    return decision
  }
}

type Keys = { credentialKey?: string; pinKey?: string }

/** A PIN after a card is hashed together with its user. */
function keysOf({ kind, number, pin }: Presented, { config, secret }: { config: UnitConfig; secret: string }): Keys {
  if (kind === 'pin') return { pinKey: credentialKey(secret, pinNumber(pin)) }
  const key = credentialKey(secret, number)
  if (pin === undefined) return { credentialKey: key }
  return { credentialKey: key, pinKey: credentialKey(secret, pinNumber(pin, userOfCredential(config, key) ?? '')) }
}

/** What the server cannot see from the number and the reason. */
function detailsOf({ findings }: Decision, { config, ...keys }: Keys & { config: UnitConfig }): Details {
  const found = (named: Finding['step']) => findings.find(({ step }) => step === named)
  const { antipassback } = found('state')?.facts.state ?? {}
  const { credentialKey: key, pinKey } = keys
  // Also where the door then stays closed: the user is under threat all the same.
  const isDuress = found('pin')?.facts.pin === 'valid' && pinKey !== undefined && isDuressPin(config, pinKey)
  const credential = key === undefined && pinKey !== undefined ? credentialOfPin(config, pinKey) : undefined
  return {
    ...(credential === undefined ? {} : { credential }),
    ...(isDuress ? { duress: true } : {}),
    ...(antipassback === 'tolerated' ? { antiPassback: antipassback } : {}),
  }
}

type Details = Pick<AccessRecord, 'credential' | 'duress' | 'antiPassback'>

type Attempt = {
  presented: Presented
  /** Undefined for a credential that the configuration does not have. */
  user: string | undefined
  isFirst: boolean
  /** Whose wrong PINs are counted. */
  pinOwner: string
  decide: (shown?: ShownAtDoor) => Decision
  detailsOf: (decision: Decision) => Details
}

function verdictOf({ verdict, reason }: Decision): Verdict {
  return { verdict: verdict === 'grant' ? 'grant' : 'deny', reason }
}

const unavailable: Verdict = { verdict: 'deny', reason: 'remote_unavailable' }
