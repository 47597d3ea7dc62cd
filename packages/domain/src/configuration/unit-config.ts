import type { Recertification, SiteCalendar } from '../decision/access-facts.ts'
import type { Adhoc, AntiPassbackKind, DoorMode, DoorReaders, RuleDirection, RuleEffect } from '../policy.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'

/**
 * The data that one controller needs to decide on its own, as plain JSON: ids instead of names (except doors), only
 * users with an allow rule, schedules and holidays as tables, deadlines as instants. Keys are sorted, so equal content
 * is equal text.
 */
export type UnitConfig = {
  readonly unit: string
  readonly inService: boolean
  /** UTC days `YYYY-MM-DD` between which zones and holidays are known, the last one not included. */
  readonly from: string
  readonly until: string
  /** By id; a site whose zone does not exist is missing. */
  readonly sites: Readonly<Record<string, SiteCalendar>>
  /** By the door's number on the unit. */
  readonly doors: Readonly<Record<string, UnitDoor>>
  /** The areas into which doors lead, by id; absent: none. */
  readonly areas?: Readonly<Record<string, UnitArea>>
  /** By id; a missing schedule grants nothing and ends no deny. */
  readonly schedules: Readonly<Record<string, ScheduleTable>>
  readonly rules: Readonly<Record<string, UnitRule>>
  /** By the id of a user group or a user: the rules at the unit's doors that name it. */
  readonly access: Readonly<Record<string, UnitAccess>>
  /** By the membership key that credentials refer to. */
  readonly holders: Readonly<Record<string, UnitHolder>>
  /** By the hash of the number, for a PIN that of `pinNumber`: after a card with its user, alone without. */
  readonly credentials: Readonly<Record<string, UnitCredential>>
}

export type UnitDoor = {
  readonly _id: string
  readonly name: string
  readonly site: string
  readonly enabled: boolean
  readonly mode: DoorMode
  readonly modeUntil?: string | null
  readonly relockAfterSeconds: number
  readonly heldOpenAfterSeconds: number
  readonly requiresPin: boolean
  /** Absent, here and below: no. */
  readonly acceptsPinAlone?: boolean
  readonly requiresTwoPersons?: boolean
  /** On each day at the site, a holder marked `first` must enter before others can. */
  readonly firstPerson?: boolean
  /** The numbers of the doors that must be closed and locked before this one opens. */
  readonly interlock?: readonly number[]
  /** Doors of other units must be closed and locked too: the server knows. */
  readonly sharedInterlock?: boolean
  /** The areas into which its entry reader leads, and out of which its exit reader does. */
  readonly areas?: readonly string[]
  readonly requiresRemoteAuth: boolean
  /** In the mode `normal`, the door stands unlocked while this schedule is open. */
  readonly unlockSchedule?: string
  readonly directions: DoorReaders
}

/** The unit forgets the passages of all users, or of one, when a mark differs from the one that it has stored. */
export type UnitArea = {
  readonly kind: AntiPassbackKind
  /** After an entry, of `timed`. */
  readonly minutes: number
  readonly forgivenAllAt: string | null
  readonly forgivenAt: Readonly<Record<string, string>>
}

export type UnitRule = {
  readonly effect: RuleEffect
  readonly direction: RuleDirection
  readonly adhoc: Adhoc | null
  readonly schedule: string | null
}

export type UnitHolder = {
  readonly user: string
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly recertification: Recertification
  /** Those of the user's groups, and the user, that `access` contains: a rule for one of them changes no holder. */
  readonly access: readonly string[]
}

/** By door number. */
export type UnitAccess = { readonly doors: Readonly<Record<string, RuleIds>> }

/** `first`: these users open the door for the others of the day, if a rule names them there. */
export type RuleIds = { readonly allow: readonly string[]; readonly deny: readonly string[]; readonly first?: boolean }

export type UnitCredential = {
  readonly _id: string
  readonly holder: string
  /** Absent: presented at a reader. */
  readonly kind?: 'pin'
  /** Of a PIN: it opens the door and raises a silent alarm. */
  readonly duress?: boolean
  readonly validFrom: string | null
  readonly validUntil: string | null
}
