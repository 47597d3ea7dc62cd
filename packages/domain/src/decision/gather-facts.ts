import {
  type AccessFacts,
  type CredentialFacts,
  type RuleFacts,
  type ShownAtDoor,
  shownAtDoor,
} from './access-facts.ts'
import { type ApplyingRule, calendarOfDoor, doorFacts } from './door-in-policy.ts'
import { modeAt, unlockedBySchedule } from './door-mode.ts'
import { rulesForUserAtDoor } from './applying-rules.ts'
import { holderFacts, holderOf, nearestMembership } from './holder-facts.ts'
import { ref } from './finding.ts'
import type { Credential, Direction, Door, DoorMode, Rule, RuleEffect, User } from '../policy.ts'
import { isCredentialLeftOut, isScheduleLeftOut, type LeftOutOfUnit } from './left-out.ts'
import { passGroupsOf } from './lockdown-exceptions.ts'
import type { PolicyIndex } from './policy-index.ts'
import { accountOfReader, isSameLineage, presentedCredential } from './presented-credential.ts'
import { unlockHoursOf } from './unlock-schedule.ts'

export { policyIndex } from './index-policy.ts'
export type { PolicyIndex } from './policy-index.ts'

/** An attempt to pass a door. */
export type Attempt = ShownAtDoor & {
  /** The unit that reported it; a door that is not wired to it counts as unknown. */
  readonly unit?: string
  /** Id of the door. */
  readonly door: string
  /** The presented number, or the id of a credential; the id takes precedence. */
  readonly credentialNumber?: string
  readonly credential?: string
  /** A PIN without a card; `credential` if the unit found it. */
  readonly isPinAlone?: boolean
  /** A user who presents no credential: evaluates the remaining steps for them. */
  readonly user?: string
  readonly direction: Direction
  /** Epoch milliseconds. */
  readonly at: number
  /** Absent: the mode in the policy. */
  readonly mode?: DoorMode
  /** The items for which the door's unit has no room; absent: none. */
  readonly leftOut?: LeftOutOfUnit | undefined
}

/** The server's facts about an attempt, as input of `decideAccess`. */
export function gatherFacts(index: PolicyIndex, attempt: Attempt): AccessFacts {
  const door = doorOfAttempt(index, attempt)
  const { credential, holder, rules } = credentialOfAttempt(index, attempt, door) ?? nothingPresented
  const { state, pin, secondPerson, approval } = shownAtDoor(attempt)
  const { leftOut } = attempt
  return {
    at: attempt.at,
    direction: attempt.direction,
    ...(door && doorAndMode(index, door, attempt)),
    calendar: door && calendarOfDoor(index, door, attempt.at),
    credential: credential && credentialFacts(credential, holder),
    isPinAlone: attempt.isPinAlone ?? false,
    holder: holder && holderFacts(index, holder),
    passGroups: passGroupsOf(index, { door, user: holder?._id }),
    rules: rules.length === 0 ? noRules : factsOfRules(index, { rules, leftOut }),
    state,
    pin,
    secondPerson,
    approval,
    ...(leftOut && {
      leftOut: {
        door: leftOut.doors.includes(attempt.door),
        credential: credential !== undefined && isCredentialLeftOut(leftOut, credential),
      },
    }),
  }
}

/** The door in the mode that applies to the attempt, and the schedule by which it stands unlocked, if it does. */
function doorAndMode(index: PolicyIndex, door: Door, attempt: Attempt): Pick<AccessFacts, 'door' | 'unlockedBy'> {
  const { at } = attempt
  const mode = attempt.mode ?? modeAt(door, at)
  const hours = unlockHoursOf(index, door, attempt)
  const reading = unlockedBySchedule(mode, { hours, at })
  if (hours === undefined || reading === undefined) return { door: doorFacts(index, door, mode) }
  const schedule = ref(hours.schedule)
  return { door: doorFacts(index, door, 'unlocked'), unlockedBy: { schedule, ...reading.facts } }
}

/** The door with this number on a unit. If two have the same number, the one with the older id. */
export function doorOfUnit(index: PolicyIndex, unit: string, unitDoor: number): Door | undefined {
  return index.doorsOfUnit.get(unit)?.find((door) => door.unitDoor === unitDoor)
}

/** The schedule of a rule as facts; one that is missing, or left out of the unit, has no table. */
export function scheduleFacts(index: PolicyIndex, rule: Rule, leftOut?: LeftOutOfUnit): RuleFacts['schedule'] {
  const { schedule } = rule
  if (schedule === null) return null
  const facts = index.schedules.get(schedule) ?? { _id: schedule, table: null }
  return isScheduleLeftOut(leftOut, rule) ? { ...facts, table: null, leftOut: true } : facts
}

type PresentedCredential = {
  /** Absent: nothing was presented. */
  readonly credential?: Credential
  readonly holder?: User
  readonly rules: readonly ApplyingRule[]
}

const nothingPresented: PresentedCredential = { rules: [] }

function doorOfAttempt(index: PolicyIndex, { door: id, unit }: Attempt): Door | undefined {
  const door = index.doors.get(id)
  return unit === undefined || door?.unit === unit ? door : undefined
}

/**
 * A number of a user from an unrelated account stays unknown unless a rule names the user here, because this account
 * may not see who it is.
 */
function credentialOfAttempt(index: PolicyIndex, attempt: Attempt, door?: Door): PresentedCredential | undefined {
  const { isPinAlone, credential: named } = attempt
  if (named !== undefined && !isPinAlone) return withRules(index, index.credentials.get(named), door)
  if (attempt.user !== undefined) return withoutCredential(index, attempt.user, door)
  if (door === undefined) return undefined
  const account = accountOfReader(index, door)
  const credential = isPinAlone ? pinNamed(index, named) : numberRead(index, { account, attempt })
  const found = withRules(index, credential, door)
  if (credential === undefined || found === undefined || found.rules.length > 0) return found
  return isSameLineage(index, credential.account, account) ? found : undefined
}

/** Only a PIN: a controller reports others by their number. */
function pinNamed({ credentials }: PolicyIndex, named = ''): Credential | undefined {
  const credential = credentials.get(named)
  return credential?.kind === 'pin' ? credential : undefined
}

function numberRead(index: PolicyIndex, { account, attempt }: { account: string; attempt: Attempt }) {
  const { credentialNumber: number } = attempt
  return number === undefined ? undefined : presentedCredential(index, { account, number })
}

function withRules(index: PolicyIndex, credential?: Credential, door?: Door): PresentedCredential | undefined {
  if (credential === undefined) return undefined
  const holder = holderOf(index, credential)
  return { credential, holder, rules: holder && door ? rulesForUserAtDoor(index, { user: holder._id, door }) : [] }
}

function withoutCredential(index: PolicyIndex, user: string, door?: Door): PresentedCredential | undefined {
  const holder = door && nearestMembership(index, { user, account: door.account })
  return holder && { holder, rules: rulesForUserAtDoor(index, { user, door }) }
}

/** The facts about a credential for a decision; without a holder it is unassigned. */
export function credentialFacts(credential: Credential, holder?: User): CredentialFacts {
  const { _id, kind, status, validFrom, validUntil } = credential
  return { _id, kind, status, assigned: holder !== undefined, validFrom, validUntil }
}

const noRules: AccessFacts['rules'] = { allow: [], deny: [] }

type RulesOfAttempt = { rules: readonly ApplyingRule[]; leftOut: LeftOutOfUnit | undefined }

function factsOfRules(index: PolicyIndex, { rules, leftOut }: RulesOfAttempt): AccessFacts['rules'] {
  const facts: Record<RuleEffect, RuleFacts[]> = { allow: [], deny: [] }
  for (const { rule, via } of rules) {
    const { _id, name, direction, adhoc, effect } = rule
    facts[effect].push({ _id, name, direction, adhoc, schedule: scheduleFacts(index, rule, leftOut), via })
  }
  return facts
}
