import {
  type HolderFacts,
  type InterlockOutcome,
  type PinOutcome,
  type ShownAtDoor,
  shownAtDoor,
} from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { effectiveMode, modeAt } from '../decision/door-mode.ts'
import { type MayPass, passGroups } from '../decision/lockdown-exceptions.ts'
import type { Direction, DoorMode } from '../policy.ts'
import { validityRefusal } from '../time/validity.ts'
import { doorFactsOnUnit, doorOnUnit, type KnownDoor, own, rulesOfHolder, rulesOnUnit } from './known-config.ts'
import { stateOnUnit, type UnitMemory } from './state-on-unit.ts'
import type { UnitConfig, UnitCredential, UnitDoor, UnitHolder } from './unit-config.ts'

export type DecideOnUnit = ShownAtDoor & {
  readonly unitDoor: number
  /** The hash of the presented number; absent for a PIN without a card. */
  readonly credentialKey?: string
  /** The hash of the entered PIN, see `pinNumber`. */
  readonly pinKey?: string
  /** Too many wrong PINs were entered. */
  readonly isPinLocked?: boolean
  /** Absent: no state is checked. */
  readonly memory?: UnitMemory
  /** Whether doors of other units keep this one locked; absent: the server has not been asked. */
  readonly sharedInterlock?: InterlockOutcome | undefined
  readonly direction: Direction
  /** Epoch milliseconds. */
  readonly at: number
  /** The desired mode of the door now; absent: as configured. */
  readonly mode?: DoorMode
  /** The groups that may pass during its lockdown; absent: none. */
  readonly mayPass?: MayPass | undefined
}

/**
 * A controller's own decision: look-ups in its configuration, then the same checks as on the server. Its reason may
 * differ: lost cards are unknown to it, as are users without a rule at any of its doors.
 */
export function decideOnUnit(config: UnitConfig, attempt: DecideOnUnit): Decision {
  const { unitDoor, direction, at, secondPerson, approval } = attempt
  const known = doorOnUnit(config, unitDoor)
  const pinShown = attempt.pin ?? pinOutcome(config, attempt)
  const found = credentialOf(config, attempt, pinShown)
  const holder = found && own(config.holders, found.holder)
  const rules = holder && rulesOfHolder(config, holder, unitDoor)
  const state = stateOf(config, { attempt, door: known?.door, holder, isFirst: rules?.first === true })
  const shown = shownAtDoor({ state, pin: pinShown, secondPerson, approval })
  return decideAccess({
    at,
    direction,
    door: known && doorFactsOnUnit(config, known, modeOf(known, attempt)),
    calendar: known?.calendar,
    credential: found && credentialFacts(found, holder),
    isPinAlone: attempt.credentialKey === undefined,
    holder: holder && holderFacts(holder),
    passGroups: holder && passGroupsOf(holder, attempt),
    rules: rulesOnUnit(config, rules),
    state: shown.state,
    pin: shown.pin,
    secondPerson: shown.secondPerson,
    approval: shown.approval,
  })
}

function modeOf({ door, unlockHours: hours }: KnownDoor, { mode, at }: DecideOnUnit) {
  return effectiveMode(mode ?? modeAt(door, at), { hours, at })
}

export type FoundAtDoor = {
  /** The id of the presented credential, or of a PIN without a card; undefined if the configuration has none. */
  readonly credential: string | undefined
  /** Its user: their PIN is hashed together with them. */
  readonly user: string | undefined
  /** The user opens this door for the others of the day. */
  readonly isFirst: boolean
  /** The entered PIN raises a silent alarm, whatever the decision is. */
  readonly isDuress: boolean
}

/** What a configuration knows about the presented credential and PIN, before any decision. */
export function foundAtDoor(
  config: UnitConfig,
  { unitDoor, credentialKey, pinKey }: Pick<DecideOnUnit, 'unitDoor' | 'credentialKey' | 'pinKey'>,
): FoundAtDoor {
  const pin = pinKey === undefined ? undefined : own(config.credentials, pinKey)
  const credential = credentialKey === undefined ? pin : credentialRead(config, credentialKey)
  const holder = credential && own(config.holders, credential.holder)
  return {
    credential: credential?._id,
    user: holder?.user,
    isFirst: (holder && rulesOfHolder(config, holder, unitDoor))?.first === true,
    isDuress: pin?.duress === true,
  }
}

function pinOutcome(config: UnitConfig, { pinKey, isPinLocked, credentialKey, at }: DecideOnUnit): PinOutcome {
  if (isPinLocked) return 'locked'
  if (pinKey === undefined) return 'not_presented'
  const pin = own(config.credentials, pinKey)
  if (pin?.kind !== 'pin') return 'invalid'
  const isAlone = credentialKey === undefined
  return isAlone || validityRefusal(pin, at) === null ? 'valid' : 'invalid'
}

/** A wrong PIN without a card identifies no credential. */
function credentialOf(config: UnitConfig, { credentialKey, pinKey }: DecideOnUnit, pin: PinOutcome) {
  if (credentialKey !== undefined) return credentialRead(config, credentialKey)
  return pinKey !== undefined && pin === 'valid' ? own(config.credentials, pinKey) : undefined
}

/** A reader may read any text, also one that looks like a PIN (`pinNumber`): a PIN is found only where one is entered. */
function credentialRead({ credentials }: UnitConfig, key: string): UnitCredential | undefined {
  const credential = own(credentials, key)
  return credential?.kind === 'pin' ? undefined : credential
}

function passGroupsOf({ access }: UnitHolder, { mayPass }: DecideOnUnit) {
  return passGroups(mayPass, (id) => access.includes(id))?.map((_id) => ({ _id }))
}

type StateInput = {
  attempt: DecideOnUnit
  door: UnitDoor | undefined
  holder: UnitHolder | undefined
  isFirst: boolean
}

function stateOf(config: UnitConfig, { attempt, door, holder, isFirst }: StateInput) {
  const { memory, sharedInterlock, direction, at, state } = attempt
  if (memory === undefined || door === undefined) return state
  return stateOnUnit(config, { memory, door, user: holder?.user, isFirst, sharedInterlock, direction, at })
}

function credentialFacts({ _id, kind, validFrom, validUntil }: UnitCredential, holder: UnitHolder | undefined) {
  const status = 'active'
  const assigned = holder !== undefined
  return kind === undefined
    ? ({ _id, status, assigned, validFrom, validUntil } as const)
    : ({ _id, kind, status, assigned, validFrom, validUntil } as const)
}

function holderFacts({ user, validFrom, validUntil, recertification }: UnitHolder): HolderFacts {
  return { _id: user, status: 'active', validFrom, validUntil, recertification }
}
