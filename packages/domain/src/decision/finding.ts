import type { DoorConditions, DoorStateFacts } from './access-facts.ts'
import type {
  Adhoc,
  CredentialKind,
  CredentialStatus,
  Direction,
  DoorMode,
  RuleDirection,
  UserStatus,
  WhereKind,
  WhoKind,
} from '../policy.ts'
import type { DecisionStep, FindingOutcome, ReasonCode } from './reasons.ts'
import type { HolidayDay } from '../time/schedule.ts'

/** The result of one step: plain JSON with ids, names and instants that the console puts into words. */
export type Finding = {
  readonly step: DecisionStep
  readonly outcome: FindingOutcome
  readonly reason?: ReasonCode
  readonly facts: FindingFacts
}

/** A controller knows only ids; the server adds the name. */
export type Ref = { readonly _id: string; readonly name?: string }

/** Instants are ISO UTC strings. */
export type FindingFacts = RuleFindingFacts & {
  readonly door?: Ref
  readonly unit?: Ref
  readonly mode?: DoorMode
  readonly lockdowns?: readonly Ref[]
  /** The groups through which the holder may pass during the lockdowns. */
  readonly mayPass?: readonly Ref[]
  readonly credential?: { readonly _id: string; readonly kind?: CredentialKind; readonly status: CredentialStatus }
  readonly holder?: Ref & { readonly status: UserStatus }
  readonly validFrom?: string
  readonly validUntil?: string
  /** Absent if recertification is not enforced; null if it is enforced but there is no deadline yet. */
  readonly recertifyBy?: string | null
  /** The other rules that name user and door, nearest miss first. */
  readonly otherRules?: readonly (RuleFindingFacts & { readonly reason?: ReasonCode })[]
  readonly state?: DoorStateFacts
  readonly conditions?: DoorConditions
  readonly required?: boolean
  readonly pin?: string
  readonly secondPerson?: string
  readonly approval?: string
}

export type RuleFindingFacts = {
  readonly rule?: Ref
  readonly via?: RuleVia
  readonly direction?: Direction
  readonly ruleDirection?: RuleDirection
  readonly adhoc?: Adhoc
  readonly schedule?: Ref
  /** The rule's schedule does not exist or is invalid. */
  readonly scheduleMissing?: boolean
  /** The controller has no room for what this step checks: the door, the credential or the rule's schedule. */
  readonly leftOut?: boolean
  readonly timeZone?: string
  readonly holiday?: HolidayDay
  readonly closedSince?: string
  readonly opensAt?: string
  readonly openUntil?: string
}

/** The subjects through which a rule names the user and the door. */
export type RuleVia = {
  readonly who: Ref & { readonly kind: WhoKind }
  readonly where: Ref & { readonly kind: WhereKind }
}

export function passed(step: DecisionStep, facts: FindingFacts): Finding {
  return { step, outcome: 'passed', facts }
}

export function refused(step: DecisionStep, reason: ReasonCode, facts: FindingFacts): Finding {
  return { step, outcome: 'refused', reason, facts }
}

/** A step that could not be evaluated. */
export function unasked(step: DecisionStep, facts: FindingFacts = {}): Finding {
  return { step, outcome: 'not_asked', facts }
}

/** A reference without the key of a missing name. */
export function ref({ _id, name }: Ref): Ref {
  return name === undefined ? { _id } : { _id, name }
}

/** Removes keys with undefined values, so that a finding survives JSON unchanged. */
export function present<T extends object>(facts: T): T {
  let isWhole = true
  for (const key in facts) if (facts[key] === undefined) isWhole = false
  // Objects from which keys are deleted are slow, and most need none deleted.
  if (isWhole) return facts
  const result = { ...facts }
  for (const key in result) if (result[key] === undefined) delete result[key]
  return result
}
