import {
  type DoorFacts,
  type HolderFacts,
  type PinOutcome,
  type RuleFacts,
  type ShownAtDoor,
  shownAtDoor,
} from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { present } from '../decision/finding.ts'
import { modeAt } from '../decision/door-mode.ts'
import type { Direction, DoorMode } from '../policy.ts'
import { validityRefusal } from '../time/validity.ts'
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
  readonly direction: Direction
  /** Epoch milliseconds. */
  readonly at: number
  /** The door's mode now; absent: as configured. */
  readonly mode?: DoorMode
}

/**
 * A controller's own decision: look-ups in its configuration, then the same checks as on the server. Its reason may
 * differ: lost cards are unknown to it, as are users without a rule at any of its doors.
 */
export function decideOnUnit(config: UnitConfig, attempt: DecideOnUnit): Decision {
  const number = `${attempt.unitDoor}`
  const door = own(config.doors, number)
  const pin = attempt.pin ?? pinOutcome(config, attempt)
  const credential = credentialOf(config, attempt, pin)
  const holder = credential && own(config.holders, credential.holder)
  const rules = holder && own(holder.doors, number)
  return decideAccess({
    at: attempt.at,
    direction: attempt.direction,
    door: door && doorFacts(config, door, attempt.mode ?? modeAt(door, attempt.at)),
    calendar: door && own(config.sites, door.site),
    credential: credential && credentialFacts(credential, holder),
    isPinAlone: attempt.credentialKey === undefined,
    holder: holder && holderFacts(holder),
    rules: { allow: ruleFacts(config, rules?.allow), deny: ruleFacts(config, rules?.deny) },
    ...shownAtDoor({ ...attempt, pin, ...stateOf(config, { attempt, door, holder, isFirst: rules?.first === true }) }),
  })
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
    isFirst: (holder && own(holder.doors, `${unitDoor}`))?.first === true,
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

type StateInput = {
  attempt: DecideOnUnit
  door: UnitDoor | undefined
  holder: UnitHolder | undefined
  isFirst: boolean
}

function stateOf(config: UnitConfig, { attempt, door, holder, isFirst }: StateInput) {
  const { memory, direction, at } = attempt
  if (memory === undefined || door === undefined) return {}
  return { state: stateOnUnit(config, { memory, door, user: holder?.user, isFirst, direction, at }) }
}

function credentialFacts({ _id, kind, validFrom, validUntil }: UnitCredential, holder: UnitHolder | undefined) {
  return present({ _id, kind, status: 'active', assigned: holder !== undefined, validFrom, validUntil } as const)
}

function doorFacts(config: UnitConfig, door: UnitDoor, mode: DoorMode): DoorFacts {
  const { _id, name, enabled, requiresPin, acceptsPinAlone, requiresTwoPersons, requiresRemoteAuth } = door
  const always = { _id, name, enabled, unitInService: config.inService, mode, requiresPin, requiresRemoteAuth }
  if (acceptsPinAlone === undefined && requiresTwoPersons === undefined) return always
  return present({ ...always, acceptsPinAlone, requiresTwoPersons })
}

function holderFacts({ user, validFrom, validUntil, recertification }: UnitHolder): HolderFacts {
  return { _id: user, status: 'active', validFrom, validUntil, recertification }
}

function ruleFacts(config: UnitConfig, ids: readonly string[] = []): RuleFacts[] {
  return ids.flatMap((_id) => {
    const rule = own(config.rules, _id)
    if (rule === undefined) return []
    const { direction, adhoc, schedule } = rule
    const table = schedule === null ? null : (own(config.schedules, schedule) ?? null)
    return [{ _id, direction, adhoc, schedule: schedule === null ? null : { _id: schedule, table } }]
  })
}

// Input from a reader must not match inherited properties such as `__proto__`.
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
