import type {
  Adhoc,
  CredentialKind,
  CredentialStatus,
  Direction,
  DoorMode,
  RuleDirection,
  UserStatus,
} from '../policy.ts'
import type { Ref, RuleVia } from './finding.ts'
import type { HolidayDays } from '../time/schedule.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import type { ZoneTable } from '../time/zone.ts'

/** What a decision is made of; a controller assembles it without names, the server with them. Instants without a type of their own are ISO UTC strings. */
export type AccessFacts = {
  /** Epoch milliseconds. */
  readonly at: number
  readonly direction: Direction
  /** Absent: no such door. */
  readonly door?: DoorFacts
  /** Absent: no zone is known, so no schedule can be read: none opens a door and none lifts a deny. */
  readonly calendar?: SiteCalendar
  readonly credential?: CredentialFacts
  readonly holder?: HolderFacts
  /** The enabled rules that name both this holder and this door. */
  readonly rules: { readonly allow: readonly RuleFacts[]; readonly deny: readonly RuleFacts[] }
  readonly state: DoorStateFacts
  readonly pin: PinOutcome
  readonly approval: ApprovalOutcome
}

export type DoorFacts = Ref & {
  readonly enabled: boolean
  readonly unitInService: boolean
  readonly unit?: Ref
  readonly mode: DoorMode
  readonly requiresPin: boolean
  readonly requiresRemoteAuth: boolean
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

/** Where it is enforced, `by` is the deadline; null means that none was ever given and it is overdue. */
export type Recertification = { readonly enforced: false } | { readonly enforced: true; readonly by: string | null }

export type RuleFacts = Ref & {
  readonly direction: RuleDirection
  readonly adhoc: Adhoc | null
  /** null: always. */
  readonly schedule: ScheduleFacts | null
  readonly via?: RuleVia
}

/** Without a table the schedule is missing or can't be read. */
export type ScheduleFacts = Ref & { readonly table: ScheduleTable | null }

export type StateOutcome = 'not_asked' | 'clear' | 'violated'

export type DoorStateFacts = {
  readonly interlock: StateOutcome
  readonly antipassback: StateOutcome
  readonly firstPerson: StateOutcome
}

export type PinOutcome = 'not_presented' | 'valid' | 'invalid' | 'locked'
export type ApprovalOutcome = 'not_requested' | 'granted' | 'denied' | 'timeout' | 'unavailable'

export const stateNotAsked = {
  interlock: 'not_asked',
  antipassback: 'not_asked',
  firstPerson: 'not_asked',
} as const satisfies DoorStateFacts

/** What an attempt shows at the door besides the credential. */
export type ShownAtDoor = {
  /** Absent: not asked for. */
  readonly state?: DoorStateFacts
  /** Absent: not presented. */
  readonly pin?: PinOutcome
  /** Absent: not requested. */
  readonly approval?: ApprovalOutcome
}

/** The same, with the value that stands for what is absent. */
export function shownAtDoor({ state, pin, approval }: ShownAtDoor): Required<ShownAtDoor> {
  return { state: state ?? stateNotAsked, pin: pin ?? 'not_presented', approval: approval ?? 'not_requested' }
}
