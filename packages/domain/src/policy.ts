export const doorModes = ['normal', 'unlocked', 'blocked', 'lockdown'] as const
export const directions = ['entry', 'exit'] as const
export const ruleDirections = ['entry', 'exit', 'both'] as const
export const ruleEffects = ['allow', 'deny'] as const
export const whoKinds = ['User', 'User Group'] as const
export const whereKinds = ['Door', 'Site', 'Door Group', 'Site Group'] as const
export const credentialKinds = ['card', 'pin', 'iButton', 'qr', 'mobile'] as const
export const credentialStatuses = ['active', 'suspended', 'lost', 'stolen', 'revoked'] as const
export const userStatuses = ['active', 'suspended'] as const
export const antiPassbackKinds = ['soft', 'hard', 'timed'] as const
export const holidayKinds = ['public', 'company', 'special'] as const

export type DoorMode = (typeof doorModes)[number]
export type Direction = (typeof directions)[number]
export type RuleDirection = (typeof ruleDirections)[number]
export type RuleEffect = (typeof ruleEffects)[number]
export type WhoKind = (typeof whoKinds)[number]
export type WhereKind = (typeof whereKinds)[number]
export type CredentialKind = (typeof credentialKinds)[number]
export type CredentialStatus = (typeof credentialStatuses)[number]
export type UserStatus = (typeof userStatuses)[number]
export type AntiPassbackKind = (typeof antiPassbackKinds)[number]
export type HolidayKind = (typeof holidayKinds)[number]

/**
 * All data that a decision can depend on, for one account tree at one version. Times are ISO UTC strings, references
 * are ids.
 */
export type Policy = {
  readonly version: number
  readonly accounts: readonly Account[]
  readonly sites: readonly Site[]
  readonly doors: readonly Door[]
  readonly units: readonly Unit[]
  readonly users: readonly User[]
  readonly credentials: readonly Credential[]
  readonly userGroups: readonly Group[]
  readonly doorGroups: readonly Group[]
  readonly siteGroups: readonly Group[]
  /** Doors of one unit, of which only one may be open at a time. */
  readonly interlockingGroups: readonly Group[]
  readonly rules: readonly Rule[]
  readonly schedules: readonly Schedule[]
  readonly holidays: readonly Holiday[]
  readonly lockdownPlans: readonly LockdownPlan[]
}

export type Account = {
  readonly _id: string
  readonly parent: string | null
  readonly name: string
  /** Null: as in the nearest account above that sets it; not enforced if no account sets it. */
  readonly recertifyEveryDays: number | null
}

export type Site = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly timeZone: string
  readonly calendars: readonly string[]
}

export type Door = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly site: string
  readonly unit: string | null
  readonly unitDoor: number | null
  readonly enabled: boolean
  readonly mode: DoorMode
  /** When the mode ends and the schedule applies again; absent: the mode lasts until it is changed. */
  readonly modeUntil?: string | null
  /** The lockdowns of plans because of which its mode is lockdown. Absent: none. */
  readonly lockdowns?: readonly DoorLockdown[]
  readonly relockAfterSeconds: number
  readonly heldOpenAfterSeconds: number
  /** Cardholders enter their PIN after their card. */
  readonly requiresPin: boolean
  /** A PIN opens the door without a card. Absent: it does not. */
  readonly acceptsPinAlone?: boolean
  /** The door opens only for two cardholders who may both pass. Absent: for one. */
  readonly requiresTwoPersons?: boolean
  /** A user group: each day, one of its members must enter before other users can. Absent: no such group. */
  readonly firstPersonGroup?: string | null
  readonly requiresRemoteAuth: boolean
  /** In its normal mode, the door stands unlocked while this schedule is open. Absent: it does not. */
  readonly unlockSchedule?: string | null
  readonly directions: DoorReaders
}

/** A lockdown of a plan: `mayPass` are the user groups that it lets pass. Absent: none. */
export type DoorLockdown = { readonly _id: string; readonly name: string; readonly mayPass?: readonly string[] }

export type DoorReaders = { readonly entry: boolean; readonly exit: boolean }

export type Unit = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly site: string | null
  /** Absent: enabled. */
  readonly inService?: boolean
}

/** One membership: a user in one account. The same `_id` may occur in several accounts. */
export type User = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly status: UserStatus
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly lastRecertifiedAt: string | null
}

export type Credential = {
  readonly _id: string
  readonly account: string
  readonly user: string | null
  readonly kind: CredentialKind
  readonly number: string
  readonly status: CredentialStatus
  readonly validFrom: string | null
  readonly validUntil: string | null
  /** Of a PIN: it opens the door and raises a silent alarm. Absent: it does not. */
  readonly duress?: boolean
}

export type Group = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly members: readonly string[]
  /** Of a door group: its doors lead into one area, which a user must leave before entering again. Absent: no area. */
  readonly antiPassback?: AntiPassback | null
  /** Changes when all users of the area are forgiven: units then forget who is inside. Absent: never. */
  readonly forgivenAllAt?: string | null
  /** The same for single users, by id. */
  readonly forgivenAt?: Readonly<Record<string, string>>
}

/**
 * How an area treats users who enter it again without having left, or leave it without having entered: `hard` denies,
 * `soft` grants and reports, `timed` denies entering again within the minutes after entering.
 */
export type AntiPassback = { readonly kind: AntiPassbackKind; readonly minutes: number }

export type Rule = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly effect: RuleEffect
  readonly who: readonly Who[]
  readonly where: readonly Where[]
  /** Null: always. */
  readonly schedule: string | null
  readonly direction: RuleDirection
  readonly adhoc: Adhoc | null
  readonly enabled: boolean
}

export type Who = { readonly kind: WhoKind; readonly id: string }
export type Where = { readonly kind: WhereKind; readonly id: string }

/** From the first instant up to, but not including, the last. */
export type Adhoc = { readonly from: string; readonly until: string }

/**
 * Doors that are locked down together, and the user groups whose members may then still pass. A card of a member of
 * `cardGroups` at one of `cardDoors` starts it.
 */
export type LockdownPlan = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly places: readonly Where[]
  readonly mayPass: readonly string[]
  readonly cardGroups: readonly string[]
  readonly cardDoors: readonly string[]
}

export type Schedule = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly windows: readonly Window[]
  readonly holidayHours: Readonly<Record<HolidayKind, HolidayHours>>
}

/**
 * Days are ISO weekdays (1 is Monday). An end at or before the start is on the next day; `24:00` is the midnight that
 * ends the day.
 */
export type Window = Hours & { readonly days: readonly number[] }
export type Hours = { readonly start: string; readonly end: string }
export type HolidayHours = 'closed' | 'asUsual' | readonly Hours[]

export type Holiday = {
  readonly _id: string
  readonly account: string
  readonly name: string
  readonly kind: HolidayKind
  readonly dates: readonly HolidayDates[]
  /** Null: every site of the account and of those below; otherwise those of them that follow this calendar. */
  readonly calendar: string | null
}

/** Civil dates `YYYY-MM-DD`, both included. A recurring range repeats every year from its first date on. */
export type HolidayDates = { readonly from: string; readonly until: string; readonly recurring: boolean }
