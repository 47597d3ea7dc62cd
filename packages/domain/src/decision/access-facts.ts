import type {
  Adhoc,
  AntiPassbackKind,
  CredentialKind,
  CredentialStatus,
  Direction,
  DoorMode,
  RuleDirection,
  UserStatus,
} from '../policy.ts'
import type { FindingFacts, Ref, RuleVia } from './finding.ts'
import type { HolidayDays } from '../time/schedule.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import type { ZoneTable } from '../time/zone.ts'

/**
 * The input of a decision; the server includes names, a controller does not. Times are ISO UTC strings unless noted.
 */
export type AccessFacts = {
  /** Epoch milliseconds. */
  readonly at: number
  readonly direction: Direction
  /** Absent: no such door. */
  readonly door?: DoorFacts
  /** The schedule because of which the door is unlocked; absent: none, and on a controller. */
  readonly unlockedBy?: Pick<FindingFacts, 'schedule' | 'openUntil'>
  /** Absent: the time zone is unknown, so no schedule can be evaluated; none grants access and none ends a deny. */
  readonly calendar?: SiteCalendar
  readonly credential?: CredentialFacts
  /** A PIN was entered without a card. */
  readonly isPinAlone?: boolean
  readonly holder?: HolderFacts
  /** The groups through which the holder may pass during the lockdowns of the door; absent: the holder may not. */
  readonly passGroups?: readonly Ref[] | undefined
  /** The enabled rules that name both the holder and the door. */
  readonly rules: { readonly allow: readonly RuleFacts[]; readonly deny: readonly RuleFacts[] }
  readonly state: DoorStateFacts
  readonly pin: PinOutcome
  readonly secondPerson: SecondPersonOutcome
  readonly approval: ApprovalOutcome
  /** The items for which the door's controller has no room, as the server knows; absent: none. */
  readonly leftOut?: { readonly door: boolean; readonly credential: boolean }
}

export type DoorFacts = Ref & {
  readonly enabled: boolean
  readonly unitInService: boolean
  readonly unit?: Ref
  readonly mode: DoorMode
  /** The lockdowns of plans because of which the mode is lockdown; absent: none, and on a controller. */
  readonly lockdowns?: readonly Ref[]
  readonly requiresPin: boolean
  readonly acceptsPinAlone?: boolean
  readonly requiresTwoPersons?: boolean
  readonly requiresRemoteAuth: boolean
  /** Absent where no state is checked, and on a controller. */
  readonly conditions?: DoorConditions
}

/** What a door's controller checks in addition to the policy. */
export type DoorConditions = {
  /** The doors that must be closed. */
  readonly interlock?: readonly Ref[]
  readonly areas?: readonly (Ref & { readonly kind: AntiPassbackKind; readonly minutes: number })[]
  readonly firstPersonGroup?: Ref
}

export type SiteCalendar = {
  readonly timeZone: string
  readonly zone: ZoneTable
  readonly holidays: HolidayDays
}

export type CredentialFacts = {
  readonly _id: string
  readonly kind?: CredentialKind
  readonly status: CredentialStatus
  readonly assigned: boolean
  readonly validFrom: string | null
  readonly validUntil: string | null
}

export type HolderFacts = Ref & {
  readonly status: UserStatus
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly recertification: Recertification
}

/** If it is enforced, `by` is the deadline; null means that there is none yet, so it is overdue. */
export type Recertification = { readonly enforced: false } | { readonly enforced: true; readonly by: string | null }

export type RuleFacts = Ref & {
  readonly direction: RuleDirection
  readonly adhoc: Adhoc | null
  /** Null: always. */
  readonly schedule: ScheduleFacts | null
  readonly via?: RuleVia
}

/** Without a table the schedule is missing or invalid. */
export type ScheduleFacts = Ref & {
  readonly table: ScheduleTable | null
  /** The controller has no room for it; then it has no table either. */
  readonly leftOut?: boolean
}

/** `tolerated`: violated, but only reported. */
export type StateOutcome = 'not_asked' | 'clear' | 'tolerated' | 'violated'

/** `unavailable`: the server, which knows the doors of other controllers, could not be asked. */
export type InterlockOutcome = Exclude<StateOutcome, 'tolerated'> | 'unavailable'

export type DoorStateFacts = {
  readonly interlock: InterlockOutcome
  readonly antipassback: StateOutcome
  readonly firstPerson: StateOutcome
}

export type PinOutcome = 'not_presented' | 'valid' | 'invalid' | 'locked'
export type SecondPersonOutcome = 'not_presented' | 'present' | 'absent'
export type ApprovalOutcome = 'not_requested' | 'granted' | 'denied' | 'timeout' | 'unavailable'

export const stateNotChecked = {
  interlock: 'not_asked',
  antipassback: 'not_asked',
  firstPerson: 'not_asked',
} as const satisfies DoorStateFacts

/** The inputs of an attempt at the door in addition to the credential. */
export type ShownAtDoor = {
  /** Absent: not checked. */
  readonly state?: DoorStateFacts
  /** Absent: not presented. */
  readonly pin?: PinOutcome
  /** Absent: not presented yet. */
  readonly secondPerson?: SecondPersonOutcome
  /** Absent: not requested. */
  readonly approval?: ApprovalOutcome
}

/** The same, with default values for absent inputs. */
export function shownAtDoor({ state, pin, secondPerson, approval }: ShownAtDoor): Required<ShownAtDoor> {
  return {
    state: state ?? stateNotChecked,
    pin: pin ?? 'not_presented',
    secondPerson: secondPerson ?? 'not_presented',
    approval: approval ?? 'not_requested',
  }
}
