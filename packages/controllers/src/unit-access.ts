import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { readKinds, UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { decideOnUnit, foundAtDoor } from '@portcullis/domain/configuration/decide-on-unit'
import type { InterlockOutcome, ShownAtDoor } from '@portcullis/domain/decision/access-facts'
import type { Decision } from '@portcullis/domain/decision/decide-access'
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

  /** Decides from the unit's configuration; resolves when the record and a counted PIN are durable. */
  async present(presented: Presented): Promise<Verdict> {
    const attempt = this.#begin(presented)
    let decision = this.#decide(attempt)
    this.#countPin(attempt, decision)
    let shown: AtDoor = {}
    if (decision.reason === 'second_person_required') {
      this.#recordDuress(attempt, decision)
      shown = { secondPerson: (await this.#meetSecond(attempt)) ? 'present' : 'absent' }
      decision = this.#decide(attempt, shown)
    }
    if (decision.reason === 'remote_approval_required') decision = await this.#approve(attempt, { decision, shown })
    else if (decision.verdict === 'grant') decision = await this.#letIn(attempt, { decision, shown })
    return this.#record(attempt, decision)
  }

  stop() {
    this.#secondPersons.stop()
  }

  #meetSecond(attempt: Attempt) {
    const { presented } = attempt
    return this.#secondPersons.meet(`${presented.door} ${presented.direction}`, {
      user: () => this.#find(presented)?.user,
      wouldPass: () => {
        const { verdict, reason } = this.#decide(attempt, { secondPerson: 'present' })
        return verdict === 'grant' || reason === 'remote_approval_required'
      },
    })
  }

  /** Requests approval while the user waits. After a grant, a command has opened the door. */
  async #approve(attempt: Attempt, { decision, shown }: Decided): Promise<Decision> {
    const { isOnline, approvals, send } = this.#options
    const { door, direction, kind, number = '' } = attempt.presented
    if (!isOnline()) return this.#decide(attempt, { ...shown, approval: 'unavailable' })
    const credential = kind === 'pin' ? this.#find(attempt.presented)?.credential : undefined
    this.#recordDuress(attempt, decision)
    let last = decision
    const { id, settled } = approvals.open((approval, sharedInterlock) => {
      last = this.#decide(attempt, { ...shown, approval, sharedInterlock })
      if (last.verdict === 'grant') this.#willPass(attempt)
      return verdictOf(last)
    })
    send({ type: 'approvalRequest', id, door, direction, kind, number, credential })
    await settled
    return last
  }

  /** Opens the door, unless doors of other units keep it locked. */
  #letIn(attempt: Attempt, { decision, shown }: Decided): Decision | Promise<Decision> {
    const { interlocks } = this.#options.doors
    const { door } = attempt.presented
    if (!interlocks.isShared(door)) return this.#open(attempt, decision)
    return interlocks.ask(door, (sharedInterlock) =>
      this.#open(attempt, this.#decide(attempt, { ...shown, sharedInterlock })),
    )
  }

  #open(attempt: Attempt, decision: Decision) {
    if (decision.verdict !== 'grant') return decision
    this.#willPass(attempt)
    this.#options.doors.unlock(attempt.presented.door)
    return decision
  }

  /** A granted user passes when the door opens, or at once if it is open. */
  #willPass(attempt: Attempt) {
    const { presented } = attempt
    const { memory, doors, now } = this.#options
    const { config, user, isFirst } = this.#find(presented) ?? {}
    if (config === undefined || user === undefined) return
    const { door, direction } = presented
    const passing = { user, direction, isFirst: isFirst === true, at: now() }
    if (doors.isOpen(door)) {
      attempt.hasPassed = true
      return memory.passed(config, door, passing)
    }
    const unlockedMs = (config.doors[door]?.relockAfterSeconds ?? 0) * 1_000
    memory.granted(door, { ...passing, until: passing.at + unlockedMs + contactDelayMs })
  }

  /** Five wrong PINs in a row lock the PIN of the user, or the keypad where no card is presented. */
  #countPin({ presented, pinOwner }: Attempt, { findings }: Decision) {
    if (presented.pin === undefined) return
    const { memory, now } = this.#options
    const isAlone = presented.kind === 'pin'
    const checked = findings.find(({ step }) => step === (isAlone ? 'credential' : 'pin'))
    if (checked?.reason === 'pin_invalid') memory.wrongPin(pinOwner, now())
    // A right PIN at a keypad says nothing about the wrong ones before it: they may be guesses at the PINs of others.
    if (!isAlone && checked?.facts.pin === 'valid') memory.rightPin(pinOwner)
  }

  /** What is settled when the credential is presented; everything else is read again for each decision. */
  #begin(presented: Presented): Attempt {
    const { memory, now } = this.#options
    const { door, kind, pin } = presented
    const found = this.#find(presented)
    const pinOwner = kind === 'pin' ? `door ${door}` : (found?.user ?? '')
    const isPinLocked = pin !== undefined && memory.isPinLocked(pinOwner, now())
    // Whatever is decided, the user is under threat. While PINs are locked, guesses raise no alarms.
    return {
      presented,
      pinOwner,
      isPinLocked,
      reportsDuress: !isPinLocked && found?.isDuress === true,
      hasPassed: false,
    }
  }

  /** What the configuration that applies now has for the credential and the PIN. */
  #find(presented: Presented) {
    const { applied, identity } = this.#options.store
    if (!applied || !identity.enrolled) return undefined
    const { config } = applied
    const keys = this.#unblocked(keysOf(presented, { config, secret: identity.enrolled.secret }), config)
    return { config, keys, ...foundAtDoor(config, { unitDoor: presented.door, ...keys }) }
  }

  /** Without a blocked credential, as if the configuration did not contain it. */
  #unblocked(keys: Keys, { credentials }: UnitConfig): Keys {
    const { blocked } = this.#options.memory
    if (blocked.length === 0) return keys
    const isBlocked = (key: string) => blocked.includes(credentials[key]?._id ?? '')
    return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, isBlocked(key) ? blockedKey : key]))
  }

  /** Decides from what applies now: a right may have ended while the user waited. */
  #decide({ presented, isPinLocked }: Attempt, shown: AtDoor = {}): Decision {
    const found = this.#find(presented)
    if (!found) return withoutConfig
    const { memory, doors, now } = this.#options
    const { door, direction } = presented
    const mode = doors.storedMode(door)
    return decideOnUnit(found.config, {
      ...found.keys,
      isPinLocked,
      unitDoor: door,
      direction,
      at: now(),
      memory: memory.with(doors.open()),
      ...(mode ? { mode } : {}),
      mayPass: doors.mayPass(door),
      ...shown,
    })
  }

  /** Records a duress PIN before its user waits; the last record does not repeat the alarm. */
  #recordDuress(attempt: Attempt, decision: Decision) {
    if (!attempt.reportsDuress) return
    void this.#record(attempt, decision)
    attempt.reportsDuress = false
  }

  async #record({ presented, reportsDuress, hasPassed }: Attempt, decision: Decision): Promise<Verdict> {
    const { record, memory } = this.#options
    const { door, direction, kind, number = '', pin } = presented
    const credential = kind === 'pin' ? this.#find(presented)?.credential : undefined
    const state = decision.findings.find(({ step }) => step === 'state')?.facts.state
    const verdict = verdictOf(decision)
    const recorded = record({
      door,
      direction,
      kind,
      number,
      ...verdict,
      ...(credential === undefined ? {} : { credential }),
      ...(reportsDuress ? { duress: true } : {}),
      ...(hasPassed ? { passed: true } : {}),
      ...(state?.antipassback === 'tolerated' ? { antiPassback: state.antipassback } : {}),
    })
    await Promise.all([recorded, pin === undefined ? undefined : memory.flushed()])
    return verdict
  }
}

/** The key of no credential. */
const blockedKey = ''

type Keys = { credentialKey?: string; pinKey?: string }

/** A PIN after a card is hashed together with its user. */
function keysOf(
  { door, kind, number, pin }: Presented,
  { config, secret }: { config: UnitConfig; secret: string },
): Keys {
  if (kind === 'pin') return { pinKey: credentialKey(secret, pinNumber(pin)) }
  const key = credentialKey(secret, number)
  if (pin === undefined) return { credentialKey: key }
  const { user = '' } = foundAtDoor(config, { unitDoor: door, credentialKey: key })
  return { credentialKey: key, pinKey: credentialKey(secret, pinNumber(pin, user)) }
}

/** What has happened since the credential was presented. */
type AtDoor = ShownAtDoor & { sharedInterlock?: InterlockOutcome | undefined }
type Decided = { decision: Decision; shown: AtDoor }

type Attempt = {
  presented: Presented
  /** Whose wrong PINs are counted. */
  pinOwner: string
  isPinLocked: boolean
  /** The next record reports a duress PIN. */
  reportsDuress: boolean
  /** With the grant, because the door was open. */
  hasPassed: boolean
}

function verdictOf({ verdict, reason }: Decision): Verdict {
  return { verdict: verdict === 'grant' ? 'grant' : 'deny', reason }
}

const withoutConfig: Decision = { verdict: 'deny', reason: 'door_unknown', findings: [] }

/** A door that is opened in the last moment reports it after its lock has closed. */
const contactDelayMs = 1_000
