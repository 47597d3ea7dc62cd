import { changeCodes } from '@portcullis/domain/explore/changes-to-open'
import {
  credentialKinds,
  credentialStatuses,
  directions,
  ruleDirections,
  ruleEffects,
  whereKinds,
  whoKinds,
} from '@portcullis/domain/policy'
import { reasonCodes, verdicts } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { finding } from '../collections/events.ts'
import { scheduleWindow } from '../collections/schedules.ts'
import { id, instant } from '../fields.ts'
import { fromDigits, pageInfo, pageSize } from '../list-query.ts'
import { language, timeZone } from '../names.ts'
import { exportFormats, exportTypes } from '../export-request.ts'
import { fieldCode } from '../errors/field-codes.ts'

// Questions about access: the users who can open a door, the doors that a user can open, the decision at a given time.
// They run the decision that controllers make, on the current policy; PINs and approvals are shown as still required.

/** An item in an answer; both fields are null if it belongs to an account above or the user may not see it. */
export const named = z.object({ _id: z.uuid().nullable(), name: z.string().nullable() })
export type Named = z.output<typeof named>

/** Whether a user can open the door, in any direction: at the time in question, later within eight weeks, or not. */
export const openingStates = ['now', 'later', 'never'] as const
export type OpeningState = (typeof openingStates)[number]

/**
 * `sometime` is now or later; `all` also includes users that a rule names, but who have no access for another reason.
 */
export const accessStates = [...openingStates, 'sometime', 'all'] as const

const accessQuery = z.strictObject({
  search: z.string().max(200).optional().describe('Part of a name.'),
  can: z
    .enum(accessStates)
    .optional()
    .describe('`sometime` (the default): access within eight weeks; `all`: also where something else prevents it.'),
  at: instant().optional().describe('The time in question; now if it is missing.'),
  page: fromDigits(z.int().min(0).max(1_000_000).optional()).describe('The page, from 0.'),
  size: fromDigits(z.int().min(1).max(pageSize.most).optional()).describe('The number of items on a page.'),
})
export type AccessQuery = Omit<z.input<typeof accessQuery>, 'page' | 'size'> & { page?: number; size?: number }

/** All rows of such a list as a file, with hours in words and times in the time zone. */
const accessExport = accessQuery
  .pick({ search: true, can: true, at: true })
  .extend({
    format: z.enum(exportFormats),
    timeZone: timeZone().optional(),
    language: language().optional().describe('The language of the titles and words; English if it is missing.'),
  })
  .register(schemaNames, { id: 'AccessExport' })
export type AccessExport = z.input<typeof accessExport>

/** A rule that names a user and a door, and the subjects through which it does. */
const accessRule = named.extend({
  effect: z.enum(ruleEffects),
  direction: z.enum(ruleDirections),
  adhoc: z.object({ from: instant(), until: instant() }).nullable(),
  /** Null: at all times. `windows` is null if the schedule no longer exists; the rule then gives no access. */
  schedule: named.extend({ windows: z.array(scheduleWindow).nullable() }).nullable(),
  who: named.extend({ kind: z.enum(whoKinds) }),
  where: named.extend({ kind: z.enum(whereKinds) }),
})
export type AccessRule = z.output<typeof accessRule>

const access = z.object({
  /** The user or the door that the row describes. */
  _id: z.uuid(),
  state: z.enum(openingStates),
  /** The best result that any of the user's credentials would get at that time, and the reason if it is not a grant. */
  verdict: z.enum(verdicts),
  reason: z.enum(reasonCodes).nullable(),
  /** The number of credentials that the user could present there. */
  credentials: z.int(),
  /** The user has access within eight weeks, except that the controller has no room for it; the state is then `never`. */
  noRoom: z.boolean(),
  /**
   * For each direction in which the door has a reader, the next period in which it would open: null if there is none,
   * and without an end if that is more than eight weeks ahead.
   */
  opens: z.array(
    z.object({
      direction: z.enum(directions),
      span: z.object({ from: instant(), until: instant().nullable() }).nullable(),
    }),
  ),
  rules: z.array(accessRule),
})

const door = z.object({
  _id: z.uuid(),
  name: z.string(),
  account: z.uuid(),
  site: named.extend({ timeZone: z.string().nullable() }),
  /** The directions in which the door has a reader. */
  readers: z.array(z.enum(directions)),
})
/** The membership in an account that the requesting user can read; in the current one if there is one. */
const person = z.object({ _id: z.uuid(), name: z.string(), account: z.uuid() })

function accessList<S extends z.ZodRawShape>(shape: S) {
  return z.object({
    at: instant(),
    items: z.array(access.extend(shape)),
    page: pageInfo,
    /** The number in each state, before search; `noRoom`: how many of `never` lack only room on the controller. */
    counts: z.object({ now: z.int(), later: z.int(), never: z.int(), noRoom: z.int() }),
    /** How many more have access but are not listed, because the requesting user cannot see their accounts. */
    hidden: z.int(),
  })
}

/** What a user needs to see who may open which doors. */
export const explorerAbilities = [view('Access Control'), view('Sites'), view('Users')] as const
const doorParam = { id: 'The _id of the door.' } as const
const userParam = { id: 'The _id of the user.' } as const

export const doorAccess = defineCall({
  id: 'door-access',
  method: 'GET',
  path: '/api/doors/{id}/access',
  tag: 'doors',
  summary: 'List the users who can open a door',
  description:
    'Users by name, with the rules and the next period of access. Rules of accounts above apply too, and are shown without names.',
  access: 'account',
  abilities: explorerAbilities,
  params: doorParam,
  query: accessQuery,
  output: accessList({ user: person }).extend({ door }).register(schemaNames, { id: 'DoorAccess' }),
  returns: 'A page of users.',
  errors: ['not_found'],
})
export type DoorAccess = z.output<typeof doorAccess.output>

export const exportDoorAccess = defineCall({
  id: 'export-door-access',
  method: 'POST',
  path: '/api/doors/{id}/access/export',
  tag: 'doors',
  summary: 'Export the users who can open a door',
  access: 'account',
  abilities: explorerAbilities,
  needsFreshSignIn: true,
  readsAllAccounts: true,
  params: doorParam,
  input: accessExport,
  download: exportTypes,
  returns: 'The file, streamed.',
  errors: ['not_found'],
})

export const userAccess = defineCall({
  id: 'user-access',
  method: 'GET',
  path: '/api/users/{id}/access',
  tag: 'users',
  summary: 'List the doors that a user can open',
  description: 'Doors by name, with the rules and the next period of access.',
  access: 'account',
  abilities: explorerAbilities,
  params: userParam,
  query: accessQuery,
  output: accessList({ door }).extend({ user: person }).register(schemaNames, { id: 'UserAccess' }),
  returns: 'A page of doors.',
  errors: ['not_found'],
})
export type UserAccess = z.output<typeof userAccess.output>

export const exportUserAccess = defineCall({
  id: 'export-user-access',
  method: 'POST',
  path: '/api/users/{id}/access/export',
  tag: 'users',
  summary: 'Export the doors that a user can open',
  access: 'account',
  abilities: explorerAbilities,
  needsFreshSignIn: true,
  readsAllAccounts: true,
  params: userParam,
  input: accessExport,
  download: exportTypes,
  returns: 'The file, streamed.',
  errors: ['not_found'],
})

const thing = named.extend({
  kind: z.enum(['door', 'unit', 'credential', 'user', 'rule', 'schedule', 'holiday']),
})

/** A finding as code and facts; the client puts it into words. */
export const explained = finding.extend({
  /** The items that the check looked at. */
  things: z.array(thing),
  /** The change that would make the check pass; null if it passes. */
  change: z.object({ code: z.enum(changeCodes), of: thing.nullable() }).nullable(),
})
export type ExplainedFinding = z.output<typeof explained>

const shownCredential = z.object({
  _id: z.uuid().nullable(),
  kind: z.enum(credentialKinds),
  /** Null if the requesting user may not see it. */
  number: z.string().nullable(),
  status: z.enum(credentialStatuses),
})

/** Local time at the door's site, to the minute or the second. */
const siteTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/)

const question = z
  .strictObject({
    door: id(),
    /** A user with any of their credentials, one credential, or a number as a reader would read it. */
    user: id().optional(),
    credential: id().optional(),
    number: z.string().trim().min(1).max(64).optional(),
    /** A time in UTC, or local time at the site, such as `2026-11-20T18:00`. Absent: now. */
    at: z
      .union([instant(), siteTime], {
        error: fieldCode('invalid_site_moment'),
      })
      .optional(),
    direction: z.enum(directions).default('entry'),
  })
  .refine(
    ({ user, credential, number }) => [user, credential, number].filter((value) => value !== undefined).length === 1,
    { error: fieldCode('one_presented'), path: ['user'] },
  )
  .register(schemaNames, { id: 'AccessQuestion' })

export const decideAccess = defineCall({
  id: 'decide-access',
  method: 'POST',
  path: '/api/explorer/decide',
  tag: 'explorer',
  summary: 'Ask whether a door would open at a given time',
  description: 'Runs the decision that controllers make with the current policy. It changes nothing.',
  access: 'account',
  abilities: explorerAbilities,
  readsAllAccounts: true,
  input: question,
  output: z
    .object({
      at: instant(),
      /** The same in local time at the site. */
      siteTime: z.string(),
      door,
      unit: named.nullable(),
      direction: z.enum(directions),
      /** Null if no known credential was presented. */
      person: named.nullable(),
      credential: shownCredential.nullable(),
      number: z.string().nullable(),
      verdict: z.enum(verdicts),
      reason: z.enum(reasonCodes).nullable(),
      findings: z.array(explained),
      /** The user's other credentials, best first and at most 50, and the result that each would get. */
      others: z.array(
        z.object({
          credential: shownCredential,
          verdict: z.enum(verdicts),
          reason: z.enum(reasonCodes).nullable(),
          /** The controller has no room for the door, the credential or a schedule. */
          noRoom: z.boolean(),
        }),
      ),
      /** How many other credentials the user has beyond these. */
      moreOthers: z.int(),
      /** Seven civil days at the site, from that of the question, with the periods in which the door would open. */
      days: z.array(
        z.object({
          date: z.iso.date(),
          from: instant(),
          until: instant(),
          open: z.array(z.object({ from: instant(), until: instant() })),
          holidays: z.array(named),
        }),
      ),
    })
    .register(schemaNames, { id: 'AccessDecision' }),
  returns: 'The verdict, every check with what would have to change, and the next seven days.',
  errors: ['not_found'],
})
export type DecideAccess = z.output<typeof decideAccess.output>
export type AccessQuestion = z.input<typeof decideAccess.input>
